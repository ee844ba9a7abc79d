package io.github.lockboot.aop.lock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;

/**
 * Answers calls whose lock was not acquired. Thread-safe.
 */
@FunctionalInterface
interface NotAcquiredHandler {

	NotAcquiredHandler THROWING = (target, arguments, reason) -> {
		throw reason;
	};

	/**
	 * Answer one call, whose method does not run.
	 * @return a value of the method's return type
	 * @throws Throwable the reason, or what a fallback throws
	 */
	@Nullable Object answer(@Nullable Object target, @Nullable Object[] arguments, LockNotAcquiredException reason)
			throws Throwable;

}
