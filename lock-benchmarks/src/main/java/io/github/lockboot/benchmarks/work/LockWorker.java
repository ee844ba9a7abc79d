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
		return Map.of(Job.THROUGHPUT, new Throughput((lock) -> peer.run(lock, NOTHING)), Job.TAKE, one::take,
				Job.GIVE_BACK, one::giveBack, Job.WAIT, one::letWait, Job.HOLD, many::hold, Job.DROP, many::drop,
				Job.WATCH, new CpuWatch(), Job.REENTER, new Reentrance(peer), Job.HEAP, new Heap(), Job.THREADS,
				new NewThreads(threadsBefore));
	}

}
