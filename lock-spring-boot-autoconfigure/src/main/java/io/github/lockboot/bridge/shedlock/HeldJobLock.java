package io.github.lockboot.bridge.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

	/** Ends the hold after its maximum time. */
	private final CompletableFuture<Void> end;

	/** Until when an extended lock stays held. */
	private final long keptUntilNanos;

	HeldJobLock(LockConfiguration configuration, LockHandle handle, Duration keptFor) {
		super(configuration);
		this.handle = handle;
		this.end = after(configuration.getLockAtMostFor());
		this.keptUntilNanos = System.nanoTime() + keptFor.toNanos();
	}

	@Override
	protected void doUnlock() {
		long leftNanos = this.keptUntilNanos - System.nanoTime();
		this.end.cancel(false);
		if (leftNanos > 0) {
			after(Duration.ofNanos(leftNanos));
		}
		else {
			this.handle.close();
		}
	}

	@Override
	protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
		if (!this.end.cancel(false) || !this.handle.isHeld()) {
			return Optional.empty();
		}
		return Optional.of(new HeldJobLock(extended, this.handle, extended.getLockAtLeastFor()));
	}

	/** Release the lock after a time, on a thread that is not blocked. */
	private CompletableFuture<Void> after(Duration time) {
		CompletableFuture<Void> end = new CompletableFuture<>();
		end.thenRun(this.handle::closeAsync);
		return end.completeOnTimeout(null, time.toNanos(), TimeUnit.NANOSECONDS);
	}

}
