package io.github.lockboot.benchmarks.work;

/**
 * A job of a worker. Each description begins with the numbers that the job takes.
 */
public enum Job {

	/**
	 * Threads, locks, milliseconds, microseconds of work: the threads acquire and release
	 * their locks, or read their entries, as often as they can; a section takes the given
	 * time, which may be left out. The result is {@code rate} per second,
	 * {@code sections}, {@code cpu} microseconds of the JVM for each section,
	 * {@code least} and {@code greatest} number of sections of a thread, their ratio
	 * {@code even}, the threads {@code without} a section, and {@code p50}, {@code p99},
	 * {@code p999} and {@code longest} of the time until a section began, in
	 * milliseconds.
	 */
	THROUGHPUT,

	/**
	 * Pairs, and the numbers of {@link #THROUGHPUT} for a slice: alternates slices of two
	 * peers. The result is {@code ratio.<n>} of the rates in each pair, first over second
	 * peer.
	 */
	COMPARE_RATES,

	/**
	 * Pairs, turns, reads of a turn, percentile: two peers read an existing entry in
	 * turn. The result is {@code ratio.<n>} of this percentile of the times in each pair,
	 * first over second peer.
	 */
	COMPARE_READS,

	/**
	 * Acquire one lock. The result is {@code asked}, the time before, and {@code nanos},
	 * the time when it was acquired.
	 */
	ACQUIRE,

	/** Release the lock. The result is {@code nanos}, the time when the release began. */
	RELEASE,

	/** Count: acquire that many locks. */
	HOLD,

	/** Release all these locks. */
	RELEASE_ALL,

	/**
	 * Milliseconds: wait. The result is {@code cpu}, the share of one core that all
	 * threads except the current one used meanwhile.
	 */
	WATCH,

	/**
	 * Locks a second, milliseconds: acquire and release locks of different names, while
	 * Redis is down for a part of the time. The result is {@code first} and
	 * {@code normal}, the times of the first acquisition afterwards and of the return to
	 * the normal rate, and {@code sections} from then on.
	 */
	RECOVER,

	/** Count: let that many threads wait for the lock of {@link #ACQUIRE}. */
	WAIT,

	/** The result is {@code bytes} of the heap in use after a collection. */
	HEAP,

	/** The result is {@code threads}, the number of threads that the peer has started. */
	THREADS,

	/**
	 * Count: read an existing entry that many times. The result is {@code rate} per
	 * second, and {@code p50}, {@code p99}, {@code p999} in microseconds.
	 */
	READ,

	/**
	 * Count: the same without reading the clock for each read. The result is
	 * {@code nanos} of the thread's CPU time per read.
	 */
	READ_UNTIMED,

	/**
	 * Count, number of the first: read that many missing entries. The result is
	 * {@code micros} per read.
	 */
	MISS,

	/**
	 * Threads, number of an entry, milliseconds: the threads read a missing entry at
	 * once, whose load takes that long. The result is {@code loads}, {@code begun},
	 * {@code loaded} (the end of the first load), and for each thread {@code end.<n>}.
	 */
	STAMPEDE,

	/**
	 * Threads, number of an entry, milliseconds: the same with a loader that fails. The
	 * result is {@code loads} and {@code millis} until all threads have the failure.
	 */
	FAIL,

	/** Number of an entry: begin a load that does not end. */
	HANG,

	/**
	 * Number of an entry: read the entry. The result is {@code nanos}, the time of the
	 * result.
	 */
	READ_ONE

}
