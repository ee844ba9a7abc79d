package io.github.lockboot.annotation;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;

/**
 * What a caller gets in the method's stead if its lock stayed busy. Thread-safe.
 */
@FunctionalInterface
interface Refusal {

	Refusal THROWING = (target, arguments, reason) -> {
		throw reason;
	};

	/**
	 * Answer one call.
	 * @param target what the method was called on
	 * @param arguments its arguments
	 * @param reason why it did not run
	 * @return a value of the method's return type
	 * @throws Throwable the reason, or what a fallback throws
	 */
	@Nullable Object answer(@Nullable Object target, @Nullable Object[] arguments, LockNotAcquiredException reason)
			throws Throwable;

}
