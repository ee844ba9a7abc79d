package io.github.lockboot.engine;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.engine.support.FencingTokens;

/**
 * What the {@link LockMachine}s of an engine know of their surroundings.
 *
 * @param ids return the id of the next attempt
 * @param random returns the source of jitter
 * @param trusted returns whether a section may begin on a lease without a request: the
 * store may be reachable, and the machine was not suspended just now
 * @param open returns whether all callers are admitted
 */
record LockContext(Supplier<StoreTraits> storeTraits, FencingTokens tokens, Supplier<String> ids,
		Supplier<RandomGenerator> random, BooleanSupplier trusted, BooleanSupplier open) {

	StoreTraits traits() {
		return this.storeTraits.get();
	}

	boolean isPolled() {
		return traits().waiting() == StoreTraits.Waiting.POLLING;
	}

	boolean isLeaseOfSession() {
		return traits().leases() == StoreTraits.Leases.SESSION;
	}

}
