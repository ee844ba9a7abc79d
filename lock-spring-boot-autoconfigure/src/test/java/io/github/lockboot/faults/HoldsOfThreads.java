package io.github.lockboot.faults;

import java.time.Duration;
import java.util.Objects;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Remembers what each thread acquired last: sections see no handle, but listeners do.
 */
final class HoldsOfThreads implements LockListener {

	private final ThreadLocal<LockHandle> last = new ThreadLocal<>();

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		this.last.set(handle);
	}

	LockHandle last() {
		return Objects.requireNonNull(this.last.get());
	}

}
