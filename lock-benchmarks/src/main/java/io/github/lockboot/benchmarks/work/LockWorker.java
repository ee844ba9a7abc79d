package io.github.lockboot.benchmarks.work;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.peer.RedisAddress;

/**
 * A worker with locks of one kind.
 */
final class LockWorker {

	private static final Runnable NOTHING = () -> {
	};

	private LockWorker() {
	}

	/**
	 * Work until the standard input ends.
	 * @param arguments name of the peer, host and port of Redis
	 * @throws IOException if the standard input fails
	 */
	public static void main(String[] arguments) throws IOException {
		Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();
		RedisAddress address = new RedisAddress(arguments[1], Integer.parseInt(arguments[2]));
		try (Peer peer = PeerKind.valueOf(arguments[0]).open(address)) {
			new Worker(tasks(peer, threadsBefore)).work();
		}
	}

	private static Map<Job, Task> tasks(Peer peer, Set<Thread> threadsBefore) {
		OneHold one = new OneHold(peer);
		ManyLocks many = new ManyLocks(peer);
		return Map.ofEntries(Map.entry(Job.THROUGHPUT, new Throughput((lock) -> peer.run(lock, NOTHING))),
				Map.entry(Job.TAKE, one::take), Map.entry(Job.GIVE_BACK, one::giveBack),
				Map.entry(Job.WAIT, one::letWait), Map.entry(Job.HOLD, many::hold), Map.entry(Job.DROP, many::drop),
				Map.entry(Job.WATCH, new CpuWatch()), Map.entry(Job.REENTER, new Reentrance(peer)),
				Map.entry(Job.HEAP, new Heap()), Map.entry(Job.THREADS, new NewThreads(threadsBefore)),
				Map.entry(Job.RECOVER, new Recovery(peer)));
	}

}
