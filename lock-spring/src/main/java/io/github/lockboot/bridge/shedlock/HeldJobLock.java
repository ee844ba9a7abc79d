package io.github.lockboot.bridge.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

import io.github.lockboot.LockHandle;

/**
 * A lock that a job holds, at most for its maximum time.
 */
final class HeldJobLock extends AbstractSimpleLock {

	private final LockHandle handle;

	private final ScheduledExecutorService timer;

	/** Ends the hold after its maximum time. */
	private final Future<?> end;

	private final long endNanos;

	/** Until when an extended lock stays held. */
	private final long keptUntilNanos;

	HeldJobLock(LockConfiguration configuration, LockHandle handle, Duration keptFor, ScheduledExecutorService timer) {
		super(configuration);
		this.handle = handle;
		this.timer = timer;
		this.endNanos = System.nanoTime() + configuration.getLockAtMostFor().toNanos();
		this.keptUntilNanos = System.nanoTime() + keptFor.toNanos();
		this.end = after(configuration.getLockAtMostFor().toNanos());
	}

	@Override
	protected void doUnlock() {
		long leftNanos = this.keptUntilNanos - System.nanoTime();
		this.end.cancel(false);
		if (leftNanos > 0) {
			after(leftNanos);
		}
		else {
			this.handle.close();
		}
	}

	/** Extend the hold, unless its maximum time is over, whatever the timer has done. */
	@Override
	protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
		if (System.nanoTime() - this.endNanos >= 0 || !this.handle.isHeld() || !this.end.cancel(false)) {
			return Optional.empty();
		}
		return Optional.of(new HeldJobLock(extended, this.handle, extended.getLockAtLeastFor(), this.timer));
	}

	/** Release the lock after a time, on a thread that is not blocked. */
	private Future<?> after(long nanos) {
		return this.timer.schedule(this.handle::closeAsync, nanos, TimeUnit.NANOSECONDS);
	}

}
