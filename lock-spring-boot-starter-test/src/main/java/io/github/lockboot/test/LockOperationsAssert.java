package io.github.lockboot.test;

import org.assertj.core.api.AbstractAssert;

import io.github.lockboot.LockOperations;

/**
 * Assertions about locks as their store sees them, over all nodes.
 *
 * @since 1.0.0
 */
public final class LockOperationsAssert extends AbstractAssert<LockOperationsAssert, LockOperations> {

	LockOperationsAssert(LockOperations actual) {
		super(actual, LockOperationsAssert.class);
	}

	/**
	 * Go on with one lock, as it is at this moment.
	 * @param name name of the lock, for an annotated method {@code name:key}
	 * @return assertions about it
	 */
	public LockStateAssert lock(String name) {
		isNotNull();
		return new LockStateAssert(this.actual.inspect(name));
	}

}
