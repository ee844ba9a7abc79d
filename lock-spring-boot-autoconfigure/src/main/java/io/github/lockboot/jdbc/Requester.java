package io.github.lockboot.jdbc;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Who requests a lock, for people who look into the table.
 *
 * @param host name of the machine
 * @param process number of the process
 * @param thread name of the thread whose caller requests it
 */
record Requester(String host, long process, String thread) {

	private static final int LONGEST = 255;

	Requester {
		host = shortened(host);
		thread = shortened(thread);
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

	private static String shortened(String text) {
		return (text.length() <= LONGEST) ? text : text.substring(0, LONGEST);
	}

}
