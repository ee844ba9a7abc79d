package io.github.lockboot.engine;

/**
 * Calls of the store and notifications of users that follow a change of a lock's state,
 * once the mutex of the lock is free.
 */
interface Effect {

	Effect NONE = () -> {
	};

	void run();

	default Effect then(Effect next) {
		if (this == NONE) {
			return next;
		}
		return (next == NONE) ? this : () -> {
			run();
			next.run();
		};
	}

}
