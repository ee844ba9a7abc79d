package io.github.lockboot.aop.lock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;

/**
 * Answers calls that did not acquire their lock. Thread-safe.
 */
@FunctionalInterface
interface NotAcquiredHandler {

	NotAcquiredHandler THROWING = (target, arguments, reason) -> {
		throw reason;
	};

	/** Return the result of a call in place of the method, or throw the reason. */
	@Nullable Object answer(@Nullable Object target, @Nullable Object[] arguments, LockNotAcquiredException reason)
			throws Throwable;

}
