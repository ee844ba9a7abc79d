package io.github.lockboot.redis.redlock;

import java.util.List;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;

/**
 * Redlock over simulated masters.
 */
@NullMarked
public final class SimulatedRedlock {

	private SimulatedRedlock() {
	}

	/** Return the store of a JVM over its stores of the masters. */
	public static LockStore store(List<? extends LockStore> masters, MonotonicClock clock) {
		return new RedlockStore(masters, clock);
	}

}
