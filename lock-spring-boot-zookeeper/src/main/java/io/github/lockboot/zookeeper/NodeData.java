package io.github.lockboot.zookeeper;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of a node.
 *
 * @param token token of the owners that share the lock, or zero if the token is that of
 * the node
 * @param shared whether an owner lets others share the lock that it acquired exclusively
 * @param leaseMillis timeout of the session, in milliseconds
 * @param people who requests the lock, for people who inspect the ensemble
 */
record NodeData(long token, boolean shared, long leaseMillis, String people) {

	private static final Pattern FORM = Pattern.compile("token=(\\d+) shared=(\\w+) lease=(\\d+)\n(.*)",
			Pattern.DOTALL);

	private static final int LONGEST_THREAD = 255;

	static String thisProcess() {
		String host;
		try {
			host = InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			host = "unknown";
		}
		return "host=" + host + "\nprocess=" + ProcessHandle.current().pid();
	}

	static NodeData of(long leaseMillis, String process, String thread) {
		String name = (thread.length() <= LONGEST_THREAD) ? thread : thread.substring(0, LONGEST_THREAD);
		return new NodeData(0, false, leaseMillis, process + "\nthread=" + name);
	}

	static NodeData parse(byte[] bytes) {
		String text = new String(bytes, StandardCharsets.UTF_8);
		Matcher matcher = FORM.matcher(text);
		return matcher.matches() ? new NodeData(Long.parseLong(matcher.group(1)),
				Boolean.parseBoolean(matcher.group(2)), Long.parseLong(matcher.group(3)), matcher.group(4))
				: new NodeData(0, false, 0, text);
	}

	NodeData withToken(long token, boolean shared) {
		return new NodeData(token, shared, this.leaseMillis, this.people);
	}

	byte[] bytes() {
		return ("token=" + this.token + " shared=" + this.shared + " lease=" + this.leaseMillis + "\n" + this.people)
			.getBytes(StandardCharsets.UTF_8);
	}

}
