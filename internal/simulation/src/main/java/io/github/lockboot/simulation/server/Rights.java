package io.github.lockboot.simulation.server;

/**
 * What a user may do.
 */
public interface Rights {

	/** A user that may do all. */
	Rights ALL = new Rights() {
	};

	/**
	 * Return whether the user may run a command.
	 * @param command in upper case
	 */
	default boolean mayRun(String command) {
		return true;
	}

	/** Return whether the user may read and write a key. */
	default boolean mayUse(String key) {
		return true;
	}

	/** Return whether the user may publish to a channel and subscribe to it. */
	default boolean mayReach(String channel) {
		return true;
	}

}
