package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.aop.EmptyResult;

/**
 * Answers calls that did not acquire their lock. Thread-safe.
 */
@FunctionalInterface
interface NotAcquiredHandler {

	NotAcquiredHandler THROWING = (call, reason) -> {
		throw reason;
	};

	/** Stands for a run that begins later, whose calls have an answer of their own. */
	NotAcquiredHandler RERUNNING = (call, reason) -> {
		throw reason;
	};

	/** Return the result of a call in place of the method, or throw the reason. */
	@Nullable Object answer(MethodInvocation call, LockNotAcquiredException reason) throws Throwable;

	static NotAcquiredHandler skipping(Method method, Class<?> owner) {
		Supplier<@Nullable Object> empty = EmptyResult.of(method, owner, "set onNotAcquired = THROW or a fallback");
		return (call, reason) -> empty.get();
	}

}
