package io.github.lockboot.benchmarks.work;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.peer.RedisAddress;

/**
 * A JVM of its own with one peer: reads jobs from its standard input and writes what it
 * has measured to its standard output.
 */
final class Worker {

	static final String READY = "ready";

	static final String FIGURES = "figures ";

	private final Map<Job, Task> tasks;

	private Worker(Peer peer, Set<Thread> threadsBefore) {
		OneHold one = new OneHold(peer);
		ManyLocks many = new ManyLocks(peer);
		this.tasks = Map.of(Job.THROUGHPUT, new Throughput(peer), Job.TAKE, one::take, Job.GIVE_BACK, one::giveBack,
				Job.WAIT, one::letWait, Job.HOLD, many::hold, Job.DROP, many::drop, Job.WATCH, new CpuWatch(),
				Job.REENTER, new Reentrance(peer), Job.HEAP, new Heap(), Job.THREADS, new NewThreads(threadsBefore));
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
			new Worker(peer, threadsBefore).work(new BufferedReader(new InputStreamReader(System.in)));
		}
	}

	private void work(BufferedReader in) throws IOException {
		System.out.println(READY);
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			String[] words = line.split(" ");
			int[] numbers = Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray();
			Task task = this.tasks.get(Job.valueOf(words[0]));
			if (task == null) {
				throw new IllegalStateException("No task for " + words[0]);
			}
			System.out.println(FIGURES + task.run(numbers).line());
		}
	}

}
