package io.github.lockboot.benchmarks.work;

/**
 * What a worker can be told to do, with the numbers that it takes.
 */
public enum Job {

	/**
	 * Threads, locks, milliseconds: the threads take and give back their locks as often
	 * as they can. Tells {@code rate} per second, {@code sections}, {@code cpu}
	 * microseconds of the JVM for each, and {@code even}, the slowest thread's share of
	 * the fastest one's.
	 */
	THROUGHPUT,

	/** Take one lock. Tells {@code nanos}, when it was had. */
	TAKE,

	/** Give it back. Tells {@code nanos}, when that began. */
	GIVE_BACK,

	/** Count: take so many locks. */
	HOLD,

	/** Give them all back. */
	DROP,

	/**
	 * Milliseconds: let time pass. Tells {@code cpu}, the share of one core that all
	 * threads but the present one used.
	 */
	WATCH,

	/**
	 * Count: take a lock that is held already so often. Tells {@code micros} per time.
	 */
	REENTER,

	/** Count: let so many threads wait for the one lock that was taken. */
	WAIT,

	/** Tells {@code bytes} of the heap that are in use after a collection. */
	HEAP,

	/** Tells {@code threads}, how many live that the peer has started. */
	THREADS

}
