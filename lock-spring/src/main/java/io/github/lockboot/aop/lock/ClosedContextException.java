package io.github.lockboot.aop.lock;

import io.github.lockboot.Internal;
import io.github.lockboot.LockUnavailableException;

/**
 * Thrown when an annotated method is called although the application context is closed.
 */
@Internal
@SuppressWarnings("serial")
public final class ClosedContextException extends LockUnavailableException {

	ClosedContextException() {
		super(null, "No lock was acquired: the application context is closed", null);
	}

}
