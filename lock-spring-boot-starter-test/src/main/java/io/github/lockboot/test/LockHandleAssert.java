package io.github.lockboot.test;

import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;

/**
 * Assertions about one hold of a lock.
 *
 * @since 1.0.0
 */
public final class LockHandleAssert extends AbstractAssert<LockHandleAssert, LockHandle> {

	LockHandleAssert(@Nullable LockHandle actual) {
		super(actual, LockHandleAssert.class);
	}

	/**
	 * Fail unless the lock is still held.
	 * @return this
	 */
	public LockHandleAssert isHeld() {
		isNotNull();
		if (!this.actual.isHeld()) {
			failWithMessage("Expected lock '%s' to be still held but it %s", this.actual.name(),
					(this.actual.loss() != null) ? "is lost" : "was released");
		}
		return this;
	}

	/**
	 * Fail unless the lock was lost.
	 * @return this
	 */
	public LockHandleAssert isLost() {
		isNotNull();
		if (this.actual.loss() == null) {
			failWithMessage("Expected lock '%s' to be lost but it %s", this.actual.name(),
					this.actual.isHeld() ? "is held" : "was released in time");
		}
		return this;
	}

	/**
	 * Fail unless the fencing token is greater than that of an earlier hold.
	 * @param earlier a hold of the same lock that has ended
	 * @return this
	 */
	public LockHandleAssert hasFencingTokenGreaterThan(LockHandle earlier) {
		isNotNull();
		if (this.actual.fencingToken() <= earlier.fencingToken()) {
			failWithMessage("Expected a fencing token greater than %s but it is %s", earlier.fencingToken(),
					this.actual.fencingToken());
		}
		return this;
	}

}
