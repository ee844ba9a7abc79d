package io.github.lockboot.sample.faults;

/**
 * The faults that a visitor can inject.
 */
enum Fault {

	/**
	 * Kill the instance that holds the lock by signal 9. The instance starts again.
	 */
	KILL_HOLDER,

	/**
	 * Freeze the instance that holds the lock for 8 seconds, before its write reaches the
	 * database. The lease is shorter.
	 */
	FREEZE_HOLDER,

	/**
	 * Kill Redis by signal 9. Redis starts again after 5 seconds.
	 */
	KILL_REDIS,

	/**
	 * Freeze Redis for 5 seconds.
	 */
	FREEZE_REDIS,

	/**
	 * Let Redis close all connections.
	 */
	CUT_CONNECTIONS

}
