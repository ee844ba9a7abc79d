package io.github.lockboot.annotation;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;

/**
 * One call under one or several locks, in the thread of its caller. If one lock is not
 * had, none is held and the call does not run.
 */
final class LockedCall {

	private final LockedInvocation invocation;

	private final SectionRunner sections;

	private boolean begun;

	LockedCall(LockedInvocation invocation, SectionRunner sections) {
		this.invocation = invocation;
		this.sections = sections;
	}

	@SuppressWarnings("NullAway") // a section may return null
	@Nullable Object run() throws Throwable {
		try {
			return this.invocation.operations()
				.<@Nullable Object, Throwable>execute(this.invocation.request(), this::begin);
		}
		catch (LockNotAcquiredException ex) {
			if (this.begun) {
				throw ex; // of another lock, inside the method
			}
			return this.invocation.refuse(ex);
		}
	}

	private @Nullable Object begin() throws Throwable {
		this.begun = true;
		return this.sections.run(this.invocation);
	}

}
