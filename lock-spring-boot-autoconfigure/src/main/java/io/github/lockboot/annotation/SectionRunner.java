package io.github.lockboot.annotation;

import org.jspecify.annotations.Nullable;

/**
 * Runs the body of a call whose locks are held by the present thread. Thread-safe.
 */
@FunctionalInterface
interface SectionRunner {

	SectionRunner PLAIN = LockedInvocation::proceed;

	@Nullable Object run(LockedInvocation invocation) throws Throwable;

}
