package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * Keeps one lease: renews it at a third of its time, and says so when it is lost. A
 * renewal that fails is neither renewed nor lost but unknown, and tried again soon; lost
 * is a lease whose store answered "not the owner", or whose deadline has come.
 */
final class LeaseKeeper {

	private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long LONGEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long LONGEST_GRID_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/**
	 * Is called about the lease, on a timer's or the store's thread.
	 */
	interface Owner {

		/**
		 * It is time to renew: {@link LeaseKeeper#send}, if the lease is not to run out.
		 */
		void renew(Lease lease, long nowNanos);

		/**
		 * The store has begun the lease anew.
		 */
		void renewed(Lease lease, LockOwner renewed, long sentNanos, RenewReply.Renewed reply);

		/**
		 * The lease is over.
		 */
		void lost(Lease lease, String reason, boolean mayBeOurs);

	}

	private final LockStore store;

	private final MonotonicClock clock;

	private final Owner owner;

	private final Lease lease;

	private final ReentrantLock mutex = new ReentrantLock();

	private boolean stopped;

	private MonotonicClock.@Nullable Timer timer;

	private volatile @Nullable Throwable lastFailure;

	LeaseKeeper(LockStore store, MonotonicClock clock, Owner owner, Lease lease) {
		this.store = store;
		this.clock = clock;
		this.owner = owner;
		this.lease = lease;
	}

	/**
	 * Begin to renew.
	 */
	void start() {
		scheduleAt(afterThird(this.lease.baseNanos(), this.lease.attempt()));
	}

	/**
	 * Stop renewing. A renewal on its way changes nothing any more.
	 */
	void stop() {
		this.mutex.lock();
		try {
			this.stopped = true;
			if (this.timer != null) {
				this.timer.cancel();
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Renew at once, without waiting for a third of the lease to pass.
	 */
	void renewNow() {
		long now = this.clock.nanoTime();
		if (this.lease.remainingNanos(now) == 0) {
			Throwable failure = this.lastFailure;
			lose("its lease of " + this.lease.attempt().leaseMillis() + " ms ran out before it could be renewed"
					+ ((failure != null) ? " (last failure: " + failure + ")" : ""), true);
			return;
		}
		scheduleAt(this.lease.deadlineNanos());
		this.owner.renew(this.lease, now);
	}

	/**
	 * Send a renewal.
	 */
	void send(LockOwner attempt, long nowNanos) {
		LockStore.ask(() -> this.store.renew(attempt))
			.whenComplete((reply, failure) -> answered(attempt, nowNanos, reply, failure));
	}

	private void answered(LockOwner attempt, long sentNanos, @Nullable RenewReply reply, @Nullable Throwable failure) {
		if (isStopped()) {
			return;
		}
		if (reply instanceof RenewReply.Renewed renewed) {
			this.lastFailure = null;
			this.owner.renewed(this.lease, attempt, sentNanos, renewed);
			if (this.lease.isLatest(attempt, sentNanos)) {
				scheduleAt(afterThird(sentNanos, attempt));
			}
		}
		else if (reply instanceof RenewReply.NotOwner) {
			lose("the store does not know it as the owner any more", false);
		}
		else {
			this.lastFailure = (failure != null) ? StageFailure.cause(failure) : null;
			long now = this.clock.nanoTime();
			long pause = Math.min(LONGEST_RETRY_NANOS, this.lease.remainingNanos(now) / 4);
			scheduleAt(now + Math.max(SHORTEST_RETRY_NANOS, pause));
		}
	}

	private void scheduleAt(long atNanos) {
		this.mutex.lock();
		try {
			if (!this.stopped) {
				if (this.timer != null) {
					this.timer.cancel();
				}
				long deadline = this.lease.deadlineNanos();
				this.timer = this.clock.schedule((atNanos - deadline < 0) ? atNanos : deadline, this::renewNow);
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void lose(String reason, boolean mayBeOurs) {
		if (!isStopped()) {
			stop();
			this.owner.lost(this.lease, reason, mayBeOurs);
		}
	}

	private boolean isStopped() {
		this.mutex.lock();
		try {
			return this.stopped;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * A third of the lease after it was asked for, or a hundredth earlier: so that many
	 * locks are renewed together, by one waking of each thread and one packet.
	 */
	private static long afterThird(long sentNanos, LockOwner attempt) {
		long leaseNanos = TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis());
		long thirdNanos = sentNanos + leaseNanos / 3;
		return thirdNanos - Math.floorMod(thirdNanos, Math.min(leaseNanos / 100, LONGEST_GRID_NANOS));
	}

}
