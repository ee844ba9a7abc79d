package io.github.lockboot;

import java.time.Duration;

/**
 * Is told what happens to locks. Every method does nothing by default. Implementations
 * must be thread-safe, and quick, since callers wait for them; what one throws is logged
 * once and hurts neither the lock nor another listener. Any number of beans of this type
 * may exist.
 * <p>
 * Each call is told as requested, and then as acquired or not acquired. What was acquired
 * is told once more: as released or as lost. Renewals are told in between, and may be
 * late.
 * <p>
 * Several locks that are taken at once are told of one by one, each with a request and a
 * hold of its own. Where they were not free together they are taken one after the other:
 * then those that were had may be told as acquired and released although the caller never
 * got them, because the next one stayed busy.
 *
 * @since 1.0.0
 */
public interface LockListener {

	/**
	 * A caller asks for a lock. Told on the caller's thread, before anything is asked of
	 * the store. Not called for a re-entrant acquisition. A request for several locks is
	 * one call for each of them; all of these have their answer together.
	 * @param request what is asked for
	 * @return who is told what follows of this call and of its hold: this listener, or
	 * one made for the call, which may keep what belongs to it
	 */
	default LockListener onRequested(LockRequest request) {
		return this;
	}

	/**
	 * A lock was taken. Not called for a re-entrant acquisition.
	 * @param request what was asked for
	 * @param handle the hold
	 * @param waited time from the call to the hold
	 */
	default void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
	}

	/**
	 * A caller went away without the lock.
	 * @param request what was asked for
	 * @param reason why: not acquired, interrupted or store unavailable
	 * @param waited time from the call to its end
	 */
	default void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
	}

	/**
	 * A lease was extended by the store.
	 * @param request what was asked for
	 * @param handle the hold
	 * @param left how long the lease would have run without that: two thirds of it if all
	 * is well, nearly nothing if the renewal was almost too late
	 */
	default void onRenewed(LockRequest request, LockHandle handle, Duration left) {
	}

	/**
	 * A lease was extended by the store. Told instead of
	 * {@link #onRenewed(LockRequest, LockHandle, Duration)}, which is told by this method
	 * unless it is overridden.
	 * @param request what was asked for
	 * @param handle the hold
	 * @param lease the lease until then, of which {@code left} was left; that of a lock
	 * which was handed over is short until its first renewal, sent at once
	 * @param left how long the lease would have run without that
	 */
	default void onRenewed(LockRequest request, LockHandle handle, Duration lease, Duration left) {
		onRenewed(request, handle, left);
	}

	/**
	 * A lease was lost while its lock was held.
	 * @param request what was asked for
	 * @param handle the hold, which answers false to {@link LockHandle#isHeld()} now
	 * @param reason what is known of the loss
	 */
	default void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
	}

	/**
	 * A lock was given back by its holder.
	 * @param request what was asked for
	 * @param handle the hold
	 * @param held time from the hold to its end
	 */
	default void onReleased(LockRequest request, LockHandle handle, Duration held) {
	}

}
