package io.github.lockboot.sample.faults;

/**
 * What visitors may break.
 */
enum Fault {

	/**
	 * Signal 9 to the instance that holds the lock. It starts again.
	 */
	KILL_HOLDER,

	/**
	 * A pause of 8 seconds of the instance that holds the lock, which is longer than its
	 * lease.
	 */
	FREEZE_HOLDER,

	/**
	 * Signal 9 to Redis, which starts again after 5 seconds.
	 */
	KILL_REDIS,

	/**
	 * A pause of 5 seconds of Redis.
	 */
	FREEZE_REDIS,

	/**
	 * Redis closes all connections.
	 */
	CUT_CONNECTIONS

}
