package io.github.lockboot.annotation;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * How the calls of a method are locked that has one kind of result: what it returns tells
 * when its work is done. Chosen once per method. Thread-safe.
 */
@FunctionalInterface
interface ResultKind {

	/** The work is done when the method returns. */
	ResultKind PLAIN = (call, locking) -> locking.runHere(call);

	/**
	 * Run one call under its locks, or begin to.
	 * @param call the call
	 * @param locking how the method is locked
	 * @return a result of the kind
	 */
	@Nullable Object run(MethodInvocation call, Locking locking) throws Throwable;

	/**
	 * How one method is locked.
	 */
	interface Locking {

		/**
		 * Run a call under its locks in the present thread, which waits for them.
		 */
		@Nullable Object runHere(MethodInvocation call) throws Throwable;

		/**
		 * Find out what a call is to be locked with.
		 * @return {@code null} if no lock is wanted
		 */
		@Nullable LockedInvocation invocation(MethodInvocation call);

	}

}
