package io.github.lockboot.engine;

/**
 * What follows a change of a lock's state, once its mutex is free: only then is the store
 * called and are users notified.
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
