package io.github.lockboot.engine;

/**
 * What is to be done after a change of a lock's state, once its mutex is free: the store
 * is asked and users are told only then.
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
