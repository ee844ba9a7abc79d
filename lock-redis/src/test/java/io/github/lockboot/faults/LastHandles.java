package io.github.lockboot.faults;

import java.time.Duration;
import java.util.Objects;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Remembers the last handle of each thread: {@code execute} and the JDK's locks pass no
 * handle to the caller, but listeners get it.
 */
final class LastHandles implements LockListener {

	private final ThreadLocal<LockHandle> last = new ThreadLocal<>();

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		this.last.set(handle);
	}

	LockHandle last() {
		return Objects.requireNonNull(this.last.get());
	}

}
