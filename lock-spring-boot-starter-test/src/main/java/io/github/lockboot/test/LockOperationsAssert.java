package io.github.lockboot.test;

import org.assertj.core.api.AbstractAssert;

import io.github.lockboot.LockOperations;

/**
 * Assertions about the state of locks in their store, over all nodes.
 *
 * @since 1.0.0
 */
public final class LockOperationsAssert extends AbstractAssert<LockOperationsAssert, LockOperations> {

	LockOperationsAssert(LockOperations actual) {
		super(actual, LockOperationsAssert.class);
	}

	/**
	 * Return assertions about one lock in its current state.
	 * @param name name of the lock, for an annotated method {@code name:key}
	 * @return the assertions
	 */
	public LockStateAssert lock(String name) {
		isNotNull();
		return new LockStateAssert(this.actual.inspect(name));
	}

}
