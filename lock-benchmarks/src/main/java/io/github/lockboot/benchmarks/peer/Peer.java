package io.github.lockboot.benchmarks.peer;

/**
 * Locks of one kind on one Redis, as one instance of an application has them.
 * Thread-safe.
 */
public interface Peer extends AutoCloseable {

	/**
	 * Take a lock and wait for it as long as that takes.
	 * @param lock name of the lock
	 * @return gives the lock back, on the same thread
	 */
	Runnable take(String lock);

	/**
	 * Run a section under a lock, in the way that is advised to users.
	 * @param lock name of the lock
	 * @param section what to run
	 */
	default void run(String lock, Runnable section) {
		Runnable giveBack = take(lock);
		try {
			section.run();
		}
		finally {
			giveBack.run();
		}
	}

	/**
	 * Let go of connections and threads.
	 */
	@Override
	void close();

}
