package io.github.lockboot.benchmarks.work;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

import io.github.lockboot.benchmarks.peer.ManyInstancesPeer;
import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.peer.PeerKind;

/**
 * A worker with locks of one kind.
 */
final class LockWorker {

	/** The separator between the number of instances and the address of the server. */
	static final String INSTANCES = "@";

	private LockWorker() {
	}

	/**
	 * Run jobs until the standard input ends.
	 * @param arguments name of the peer, or names of two peers separated by a comma;
	 * address of the server
	 */
	public static void main(String[] arguments) throws IOException {
		Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();
		String address = arguments[1];
		String[] kinds = arguments[0].split(",");
		try (Peer peer = open(kinds[0], address)) {
			if (kinds.length == 1) {
				new Worker(tasks(peer, threadsBefore)).work();
				return;
			}
			try (Peer other = open(kinds[1], address)) {
				new Worker(
						Map.of(Job.COMPARE_RATES, new AlternatingSlices(throughput(peer), throughput(other), "rate")))
					.work();
			}
		}
	}

	private static Peer open(String kind, String address) {
		int at = address.indexOf(INSTANCES);
		if (at >= 0) {
			String server = address.substring(at + INSTANCES.length());
			return new ManyInstancesPeer(Integer.parseInt(address.substring(0, at)), () -> open(kind, server));
		}
		return PeerKind.valueOf(kind).open(address);
	}

	private static Task throughput(Peer peer) {
		return new Throughput(peer::run);
	}

	private static Map<Job, Task> tasks(Peer peer, Set<Thread> threadsBefore) {
		OneHold one = new OneHold(peer);
		ManyLocks many = new ManyLocks(peer);
		return Map.ofEntries(Map.entry(Job.THROUGHPUT, throughput(peer)), Map.entry(Job.ACQUIRE, one::acquire),
				Map.entry(Job.RELEASE, one::release), Map.entry(Job.WAIT, one::letWait),
				Map.entry(Job.HOLD, many::hold), Map.entry(Job.RELEASE_ALL, many::releaseAll),
				Map.entry(Job.WATCH, new CpuWatch()), Map.entry(Job.HEAP, new Heap()),
				Map.entry(Job.THREADS, new NewThreads(threadsBefore)), Map.entry(Job.RECOVER, new Recovery(peer)));
	}

}
