package io.github.lockboot.jdbc;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Who requests a lock, for people who inspect the table.
 *
 * @param host name of the machine
 * @param process number of the process
 * @param thread name of the thread whose caller requests the lock
 */
record Requester(String host, long process, String thread) {

	private static final int LONGEST = 255;

	Requester {
		host = plain(host);
		thread = plain(thread);
	}

	/** Return this JVM, without a thread. */
	static Requester thisProcess() {
		String host;
		try {
			host = InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			host = "unknown";
		}
		return new Requester(host, ProcessHandle.current().pid(), "");
	}

	Requester withThread(String thread) {
		return new Requester(this.host, this.process, thread);
	}

	/**
	 * Keep only ASCII characters and escape all others, so that a character that the
	 * encoding of the table lacks does not fail a lock.
	 */
	private static String plain(String text) {
		StringBuilder plain = new StringBuilder();
		for (int i = 0; i < text.length() && plain.length() < LONGEST; i++) {
			char next = text.charAt(i);
			plain.append((next >= ' ' && next <= '~') ? String.valueOf(next) : "\\u%04x".formatted((int) next));
		}
		return plain.substring(0, Math.min(plain.length(), LONGEST));
	}

}
