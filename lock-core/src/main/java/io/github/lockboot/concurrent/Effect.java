package io.github.lockboot.concurrent;

import io.github.lockboot.Internal;

/**
 * What follows a change that was made under a mutex, once the mutex is free, such as
 * calls of a store and notifications of users.
 */
@Internal
public interface Effect {

	/** Nothing follows. */
	Effect NONE = () -> {
	};

	/** Do what follows, without the mutex. */
	void run();

	/** Return this effect, followed by another one, even if this one fails. */
	default Effect then(Effect next) {
		if (this == NONE) {
			return next;
		}
		return (next == NONE) ? this : () -> {
			try {
				run();
			}
			finally {
				next.run();
			}
		};
	}

}
