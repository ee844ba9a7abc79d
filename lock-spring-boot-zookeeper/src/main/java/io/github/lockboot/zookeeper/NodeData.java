package io.github.lockboot.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockState.Holder;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.support.LockHolders;

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

	private static final Pattern FORM = Pattern.compile("token=(\\d{1,18}) shared=(\\w+) lease=(\\d{1,18})\n(.*)",
			Pattern.DOTALL);

	private static final int LONGEST_LINE = 255;

	/** Return the lines about this process, empty if nobody may see them. */
	static String thisProcess(@Nullable String application) {
		return (application == null) ? "" : "host=" + LockHolders.host() + "\nprocess=" + ProcessHandle.current().pid()
				+ line("application", application);
	}

	static NodeData of(long leaseMillis, String process, LockAttempt attempt) {
		return new NodeData(0, false, leaseMillis,
				process.isEmpty() ? "" : process + line("thread", attempt.thread()) + line("reason", attempt.reason()));
	}

	private static String line(String name, @Nullable String value) {
		return (value == null || value.isEmpty()) ? "" : "\n" + name + "="
				+ value.substring(0, Math.min(value.length(), LONGEST_LINE)).replaceAll("\\p{Cntrl}", " ");
	}

	static NodeData parse(byte @Nullable [] bytes) {
		String text = (bytes != null) ? new String(bytes, StandardCharsets.UTF_8) : "";
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

	/** Return the holder, if its node is the owner; since when is unknown. */
	Holder holder(String owner) {
		return new Holder(owner, value("application"), value("host"), LockHolders.number(value("process")),
				value("thread"), value("reason"), null);
	}

	private @Nullable String value(String name) {
		return this.people.lines()
			.filter((line) -> line.startsWith(name + "="))
			.map((line) -> line.substring(name.length() + 1))
			.findFirst()
			.orElse(null);
	}

}
