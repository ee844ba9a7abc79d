package io.github.lockboot.benchmarks.peer;

/**
 * Locks of one kind on one Redis, as one instance of an application uses them.
 * Thread-safe.
 */
public interface Peer extends AutoCloseable {

	/**
	 * Acquire a lock, and wait for it as long as necessary.
	 * @return a task that releases the lock, on the same thread
	 */
	Runnable acquire(String lock);

	/** Run a section under a lock, in the way that users are advised to. */
	default void run(String lock, Runnable section) {
		Runnable release = acquire(lock);
		try {
			section.run();
		}
		finally {
			release.run();
		}
	}

	/**
	 * Close connections and end threads.
	 */
	@Override
	void close();

}
