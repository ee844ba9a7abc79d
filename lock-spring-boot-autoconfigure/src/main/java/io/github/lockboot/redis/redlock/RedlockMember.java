package io.github.lockboot.redis.redlock;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.AbandonedAttempts;
import io.github.lockboot.engine.store.LockStore;

/**
 * One of the masters.
 *
 * @param abandoned releases leases there, until the server confirms it or they expire
 */
record RedlockMember(LockStore store, AbandonedAttempts abandoned) {

	static RedlockMember of(LockStore store, MonotonicClock clock) {
		return new RedlockMember(store, new AbandonedAttempts(store, clock, () -> {
		}));
	}

}
