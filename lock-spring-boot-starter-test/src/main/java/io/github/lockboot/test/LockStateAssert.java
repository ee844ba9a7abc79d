package io.github.lockboot.test;

import org.assertj.core.api.AbstractAssert;

import io.github.lockboot.LockState;

/**
 * Assertions about one lock at one moment.
 *
 * @since 1.0.0
 */
public final class LockStateAssert extends AbstractAssert<LockStateAssert, LockState> {

	LockStateAssert(LockState actual) {
		super(actual, LockStateAssert.class);
	}

	/**
	 * Fail unless somebody holds the lock.
	 * @return this
	 */
	public LockStateAssert isHeld() {
		return check(this.actual.isHeld(), "to be held");
	}

	/**
	 * Fail unless nobody holds the lock.
	 * @return this
	 */
	public LockStateAssert isFree() {
		return check(!this.actual.isHeld(), "to be free");
	}

	/**
	 * Fail unless a number of holders has the lock; an instance counts once for all that
	 * share the lock in it.
	 * @param holders how many
	 * @return this
	 */
	public LockStateAssert hasHolders(long holders) {
		return check(this.actual.holders() == holders, "to have " + holders + " holder(s)");
	}

	/**
	 * Fail unless a number of instances waits in the queue of the lock.
	 * @param waiting how many; zero where the store has no queue
	 * @return this
	 */
	public LockStateAssert hasWaiting(long waiting) {
		return check(this.actual.waiting() == waiting, "to have " + waiting + " instance(s) that wait");
	}

	private LockStateAssert check(boolean condition, String expected) {
		if (!condition) {
			failWithMessage("Expected lock '%s' %s but it is %s", this.actual.name(), expected, this.actual);
		}
		return this;
	}

}
