package io.github.lockboot;

import java.time.Duration;

/**
 * Receives the events of locks. Every method does nothing by default. Implementations
 * must be thread-safe and fast, because callers wait for the listener. An exception of a
 * listener is logged once and affects neither the lock nor other listeners. Any number of
 * beans of this type may exist.
 * <p>
 * Each call is reported as requested, and then as acquired or not acquired. A lock that
 * was acquired is reported once more, as released or lost. Renewals and risks are
 * reported between these events, and may be late. If a release does not wait for its
 * reply ({@link LockRelease}), and the reply shows that the lock was lost before, the
 * lock is also reported as lost, at about the same time as the release or later.
 * <p>
 * For several locks that are acquired at once, each lock has its own request and hold. If
 * not all of the locks are free, they are acquired one after the other. A lock may then
 * be reported as acquired and released although the caller never received a hold, because
 * a later lock stayed busy.
 *
 * @since 1.0.0
 */
public interface LockListener {

	/**
	 * Called when a caller requests a lock, on the caller's thread and before the first
	 * command to the store. Not called for a re-entrant acquisition.
	 * @param request the request
	 * @return the listener for the further events of this call and its hold: this
	 * listener, or a new one that keeps the state of the call
	 */
	default LockListener onRequested(LockRequest request) {
		return this;
	}

	/**
	 * Called when a lock was acquired. Not called for a re-entrant acquisition.
	 * @param request the request
	 * @param handle the hold
	 * @param waited time from the request to the acquisition
	 */
	default void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
	}

	/**
	 * Called when a lock was not acquired.
	 * @param request the request
	 * @param reason why: not acquired, interrupted or store unavailable
	 * @param waited time from the request to the failure
	 */
	default void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
	}

	/**
	 * Called when a lease was renewed.
	 * @param request the request
	 * @param handle the hold
	 * @param left how long the lease would have run without the renewal: normally two
	 * thirds of the lease, nearly zero if the renewal was almost too late
	 */
	default void onRenewed(LockRequest request, LockHandle handle, Duration left) {
	}

	/**
	 * Called when a lease was renewed. The library calls only this method, which calls
	 * {@link #onRenewed(LockRequest, LockHandle, Duration)} by default.
	 * @param request the request
	 * @param handle the hold
	 * @param lease length of the lease before the renewal; a lock that was handed over
	 * starts with a short lease, which is renewed at once
	 * @param left how long the lease would have run without the renewal
	 */
	default void onRenewed(LockRequest request, LockHandle handle, Duration lease, Duration left) {
		onRenewed(request, handle, left);
	}

	/**
	 * Called when a lock may be lost soon: once when half of the time between a due
	 * renewal and the end of the lease has passed, and once when a quarter is left, that
	 * is with a third and a sixth of the lease left. A lock whose lease is not renewed,
	 * or whose maximum hold time is nearly over, is reported in the same way. Called
	 * again if a lease that was renewed meanwhile is at risk again. Not called if this
	 * JVM does not run in that time.
	 * @param request the request
	 * @param handle the hold, which is held until {@link LockHandle#remainingLease()} is
	 * over
	 * @param reason why the lock is at risk, for example the failure of the last renewal
	 * @param left how much of the lease is left
	 */
	default void onAtRisk(LockRequest request, LockHandle handle, String reason, Duration left) {
	}

	/**
	 * Called when a lease was lost while its lock was held.
	 * @param request the request
	 * @param handle the hold; {@link LockHandle#isHeld()} returns false
	 * @param reason why the lease was lost, as far as known
	 */
	default void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
	}

	/**
	 * Called when the holder has released a lock.
	 * @param request the request
	 * @param handle the hold
	 * @param held time from the acquisition to the release
	 */
	default void onReleased(LockRequest request, LockHandle handle, Duration held) {
	}

}
