package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore;

/**
 * For how long this JVM keeps a lock for its callers before other JVMs have their turn.
 * Other JVMs wait with the store's knowledge, or may poll without it; for the latter all
 * queues of a lock have one {@link TimeSlice}, and each queue of permits has its own.
 * Guarded by the mutex of the {@link LockQueue}, unless a method says otherwise.
 */
final class Turn {

	/** How long a lease is passed on within this JVM while another JVM waits. */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/**
	 * How long a lease is passed on while a waiter polls, and how long callers may join
	 * the holders of a shared lock for which others may poll.
	 */
	private static final long POLLED_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** Present if waiters of the store poll. */
	private final @Nullable TimeSlice slice;

	/** How long a lease is passed on if another JVM waits. */
	private long turnNanos = TURN_NANOS;

	/** The attempt of this JVM behind which another JVM was last known to wait. */
	private volatile @Nullable String waitedBehind;

	Turn(@Nullable TimeSlice slice) {
		this.slice = slice;
	}

	// ---- other JVMs that wait with the store's knowledge

	/**
	 * Note that another JVM waits behind an attempt. This method needs no mutex, for
	 * which passing threads compete.
	 */
	void queuedBehind(String attempt) {
		this.waitedBehind = attempt;
	}

	/**
	 * Return whether another JVM is known to wait behind the owner. A reply may report
	 * this before or after the push does, so nothing ever resets it: the next attempt has
	 * another id.
	 */
	boolean isWaitedBehind(LockAttempt attempt) {
		return attempt.id().equals(this.waitedBehind);
	}

	/**
	 * Note that a lease begins or was renewed, while a number of other attempts waited in
	 * the store.
	 */
	void renewed(Lease lease, long queued, long nowNanos) {
		if (queued > 0) {
			this.waitedBehind = lease.attempt().id();
		}
		this.turnNanos = (queued == LockStore.POLLED_QUEUE) ? POLLED_TURN_NANOS : TURN_NANOS;
		if (this.slice != null && lease.isPolled()) {
			this.slice.begin(nowNanos);
		}
		else if (this.slice != null) {
			this.slice.notPolled();
		}
	}

	/**
	 * Return whether a caller may join the holders of a shared lock. Otherwise the caller
	 * has to queue in the store behind others that wait, or that poll and may have waited
	 * for some time without the knowledge of this JVM.
	 */
	boolean mayJoin(Lease lease, long ownedNanos) {
		return !isWaitedBehind(lease.attempt()) && !(lease.isPolled() && ownedNanos >= POLLED_TURN_NANOS);
	}

	/** Return whether a holder may pass the lease on to a caller of this JVM. */
	boolean mayPass(Lease lease, long ownedNanos, long nowNanos) {
		boolean over = isWaitedBehind(lease.attempt()) && ownedNanos >= this.turnNanos;
		return !over && !isSliceOver(lease.isPolled(), nowNanos);
	}

	// ---- other JVMs that may poll

	private boolean isSliceOver(boolean polled, long nowNanos) {
		return this.slice != null && polled && this.slice.isOver(nowNanos);
	}

	/** Return when to send the first request for a caller, which may be now. */
	long requestNanos(Waiter first, long nowNanos) {
		return (this.slice == null || first.isLeaving()) ? nowNanos
				: this.slice.requested(nowNanos, first.call().leftNanos(nowNanos));
	}

	/** Return when callers may request the lock after its lease, which may be now. */
	long nextRequestNanos(boolean polled, long nowNanos) {
		return (this.slice != null && isSliceOver(polled, nowNanos)) ? this.slice.pause(nowNanos) : nowNanos;
	}

	/** Note that no caller of this JVM waits for the lock after its lease. */
	void noteNoCallerWaits(long nowNanos) {
		if (this.slice != null) {
			this.slice.noteNoCallerWaits(nowNanos);
		}
	}

	/** Note that another JVM owns the lock. */
	void ownedElsewhere() {
		if (this.slice != null) {
			this.slice.reset();
		}
	}

	/**
	 * Note that no other JVM waited for the lock when it was released, and return whether
	 * the lock was to stay free for others.
	 */
	boolean noteNobodyWaited() {
		if (this.slice == null) {
			return false;
		}
		boolean pausing = this.slice.isPausing();
		this.slice.reset();
		return pausing;
	}

	/** Begin a slice for a lease, whose beginning may have come before other news. */
	void beginSlice(long nowNanos) {
		if (this.slice != null) {
			this.slice.begin(nowNanos);
		}
	}

}
