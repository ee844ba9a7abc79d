package io.github.lockboot.annotation;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;

/**
 * One call under one or several locks, in the thread of its caller. The locks are taken
 * one inside the other and share the wait time; if one is not had, those taken before are
 * given back and the call does not run.
 */
final class LockedCall {

	private final LockedInvocation invocation;

	private final SectionRunner sections;

	private boolean begun;

	LockedCall(LockedInvocation invocation, SectionRunner sections) {
		this.invocation = invocation;
		this.sections = sections;
	}

	@Nullable Object run() throws Throwable {
		try {
			return run(0);
		}
		catch (LockNotAcquiredException ex) {
			if (this.begun) {
				throw ex; // of another lock, inside the method
			}
			return this.invocation.refuse(ex);
		}
	}

	@SuppressWarnings("NullAway") // a section may return null
	private @Nullable Object run(int taken) throws Throwable {
		if (this.invocation.locks().areAll(taken)) {
			this.begun = true;
			return this.sections.run(this.invocation);
		}
		return this.invocation.operations()
			.<@Nullable Object, Throwable>execute(this.invocation.locks().next(taken), () -> run(taken + 1));
	}

}
