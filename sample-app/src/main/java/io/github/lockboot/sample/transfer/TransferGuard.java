package io.github.lockboot.sample.transfer;

import java.util.Locale;

/**
 * How the transfers exclude each other.
 */
enum TransferGuard {

	/**
	 * No lock: the run shows the damage.
	 */
	NONE,

	/**
	 * The distributed locks of both accounts.
	 */
	LOCK;

	/**
	 * Return the name for requests and answers.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
