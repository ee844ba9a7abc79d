package io.github.lockboot.jdbc;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Who requests a lock, for people who look into the table.
 *
 * @param host name of the machine
 * @param process number of the process
 * @param thread name of the thread that sends the request
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

	/** Return this process with the present thread. */
	Requester onThisThread() {
		return new Requester(this.host, this.process, Thread.currentThread().getName());
	}

	private static String shortened(String text) {
		return (text.length() <= LONGEST) ? text : text.substring(0, LONGEST);
	}

}
