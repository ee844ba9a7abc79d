package io.github.lockboot.test;

import org.assertj.core.api.AbstractAssert;

import io.github.lockboot.LockState;

/**
 * Assertions about the state of one lock at one moment.
 *
 * @since 1.0.0
 */
public final class LockStateAssert extends AbstractAssert<LockStateAssert, LockState> {

	LockStateAssert(LockState actual) {
		super(actual, LockStateAssert.class);
	}

	/**
	 * Fail unless the lock is held.
	 * @return this
	 */
	public LockStateAssert isHeld() {
		return check(this.actual.isHeld(), "to be held");
	}

	/**
	 * Fail unless the lock is free.
	 * @return this
	 */
	public LockStateAssert isFree() {
		return check(!this.actual.isHeld(), "to be free");
	}

	/**
	 * Fail unless the lock has a number of holders; an instance counts once for all its
	 * callers that share the lock.
	 * @param holders the number
	 * @return this
	 */
	public LockStateAssert hasHolders(long holders) {
		return check(this.actual.holders() == holders, "to have " + holders + " holder(s)");
	}

	/**
	 * Fail unless a number of instances wait in the queue of the lock.
	 * @param waiting the number; zero if the store has no queue
	 * @return this
	 */
	public LockStateAssert hasWaiting(long waiting) {
		return check(this.actual.waiting() == waiting, "to have " + waiting + " waiting instance(s)");
	}

	private LockStateAssert check(boolean condition, String expected) {
		if (!condition) {
			failWithMessage("Expected lock '%s' %s but it is %s", this.actual.name(), expected, this.actual);
		}
		return this;
	}

}
