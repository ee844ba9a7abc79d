package io.github.lockboot.benchmarks.work;

/**
 * What a worker can be told to do, with the numbers that it takes.
 */
public enum Job {

	/**
	 * Threads, locks, milliseconds: the threads take and give back their locks, or read
	 * their entries, as often as they can. Tells {@code rate} per second,
	 * {@code sections}, {@code cpu} microseconds of the JVM for each, and {@code even},
	 * the slowest thread's share of the fastest one's.
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

	/**
	 * Locks a second, milliseconds: take and give back locks of different names, while
	 * Redis is down for some of the time. Tells {@code first} and {@code normal}, when
	 * the first lock was had after that and when the rate was as before, and
	 * {@code sections} from then on.
	 */
	RECOVER,

	/** Count: let so many threads wait for the one lock that was taken. */
	WAIT,

	/** Tells {@code bytes} of the heap that are in use after a collection. */
	HEAP,

	/** Tells {@code threads}, how many live that the peer has started. */
	THREADS,

	/**
	 * Count: read an entry that is there so often, one time after the other. Tells
	 * {@code p50} and {@code p99} in microseconds.
	 */
	READ,

	/**
	 * Count: the same without looking at the clock each time. Tells {@code nanos} of CPU
	 * time of the thread per time.
	 */
	READ_ON,

	/**
	 * Count, number of the first: read so many entries that are not there. Tells
	 * {@code micros} per time.
	 */
	MISS,

	/**
	 * Threads, number of an entry, milliseconds: the threads want an entry at once that
	 * is not there and takes that long to load. Tells {@code loads}, {@code begun} and
	 * {@code loaded} (the end of the first load), and for each thread {@code had.<n>}.
	 */
	STAMPEDE,

	/**
	 * Threads, number of an entry, milliseconds: the same with a loader that fails. Tells
	 * {@code loads} and {@code millis} until all threads know.
	 */
	FAIL,

	/** Number of an entry: begin a load that does not end. */
	HANG,

	/** Number of an entry: want it. Tells {@code nanos}, when it was had. */
	WANT

}
