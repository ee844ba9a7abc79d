package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;

/**
 * The work of a thread while it holds a lock: it waits, even if it has lost the lock
 * meanwhile, like a program that does not check this.
 *
 * @param store used to query the expiry of keys; {@code null} where no single server
 * knows it
 * @param recorder the recorder of this thread alone
 * @param holder name of the thread
 * @param random the random numbers of this thread alone
 * @param longHoldNext set if the next thread that enters a contended lock shall hold it
 * for longer than a lease
 */
record CriticalSection(@Nullable LockOperations store, HistoryRecorder recorder, String holder, Random random,
		AtomicBoolean longHoldNext) {

	/** Longer than a lease, so that it has to be renewed. */
	private static final long LONG_HOLD_NANOS = FaultRun.LEASE.toNanos() * 3 / 2;

	private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** The allowance for differing clocks, and for rounding. */
	private static final long DRIFT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	/**
	 * Work for a while under a lock.
	 * @param depth re-entrancy depth
	 * @param requestedNanos before the lock was requested
	 */
	void work(LockRequest request, LockHandle hold, int depth, long requestedNanos) {
		run(request, hold, depth, requestedNanos, () -> hold(request));
	}

	/**
	 * Run a task under a lock.
	 * @param requestedNanos before the lock was requested
	 */
	void run(LockRequest request, LockHandle hold, long requestedNanos, Runnable work) {
		run(request, hold, 1, requestedNanos, work);
	}

	/**
	 * Release a lock by force, and record this.
	 * @param force releases it; if this fails, Redis may still run it later
	 */
	void forceRelease(LockRequest request, Runnable force) {
		long from = System.nanoTime();
		long late = FaultRun.OUTAGE.toNanos() * 4;
		try {
			force.run();
			late = 0;
		}
		finally {
			this.recorder.record("force " + new Entry.Acquisition(request.name(), this.holder, 0, 0, 1) + " " + from
					+ " " + (System.nanoTime() + late));
		}
	}

	private void run(LockRequest request, LockHandle hold, int depth, long requestedNanos, Runnable work) {
		long before = System.nanoTime();
		boolean held = hold.isHeld();
		long since = System.nanoTime();
		long remaining = hold.remainingLease().toNanos();
		// after a forced release the hand-over has a longer lease
		reportIf(remaining > FaultRun.LEASE.toNanos() && !request.name().endsWith("forced"),
				"A handle reports a remaining lease of " + remaining + " ns, more than the lease time");
		// after a hand-over the lease may be longer at first, until it is renewed
		long promised = Math.min(since + Math.min(remaining, withoutDrift(lease(request))),
				requestedNanos + withoutDrift(maxHold(request)));
		if (!held) {
			return;
		}
		List<Entry.Acquisition> acquisitions = request.names()
			.stream()
			.map((name) -> new Entry.Acquisition(name, this.holder, hold.fencingToken(name), depth, request.permits()))
			.toList();
		acquisitions.forEach((acquisition) -> this.recorder
			.record("start " + acquisition + " " + requestedNanos + " " + before + " " + since + " " + promised));
		try {
			if (this.store != null && request.isExclusive() && acquisitions.size() == 1
					&& this.random.nextInt(20) == 0) {
				compare(this.store, acquisitions.get(0), hold, requestedNanos);
			}
			work.run();
		}
		finally {
			long at = System.nanoTime();
			boolean stillHeld = hold.isHeld();
			reportIf(stillHeld && at - since > maxHold(request), "A lock is held for longer than its maxHoldTime");
			String state = Math.max(at, requestedNanos + minHold(request)) + " " + (stillHeld ? 1 : 0);
			acquisitions.forEach((acquisition) -> this.recorder.holdEnded(acquisition, state));
		}
	}

	/** Compare a lease with the expiry of its key. */
	private void compare(LockOperations store, Entry.Acquisition acquisition, LockHandle hold, long requestedNanos) {
		long before = System.nanoTime() + hold.remainingLease().toNanos();
		try {
			Duration remaining = store.inspect(acquisition.lock()).remaining();
			long key = System.nanoTime() + ((remaining != null) ? remaining.toNanos() : 0);
			// a shorter lease is requested only after the handle was returned
			long lease = Math.min(before, System.nanoTime() + hold.remainingLease().toNanos());
			if (hold.isHeld()) {
				this.recorder.record("compare " + acquisition + " " + requestedNanos + " " + lease + " " + key);
			}
		}
		catch (LockUnavailableException ex) {
			// the expiry is unknown
		}
	}

	private static long lease(LockRequest request) {
		Duration lease = request.leaseTime();
		return ((lease != null) ? lease : FaultRun.LEASE).toNanos();
	}

	/** Subtract the allowance for differing clocks. */
	private static long withoutDrift(long nanos) {
		return nanos - nanos / 50 - DRIFT_NANOS;
	}

	private static long maxHold(LockRequest request) {
		Duration maxHold = request.maxHoldTime();
		return ((maxHold != null) ? maxHold : Duration.ofHours(1)).toNanos();
	}

	/** The time for which the lock stays unavailable to others, minus rounding. */
	private static long minHold(LockRequest request) {
		Duration minHold = request.minHoldTime();
		return (minHold != null) ? minHold.toNanos() - DRIFT_NANOS : 0;
	}

	private static void reportIf(boolean violated, String problem) {
		if (violated) {
			System.out.println("unexpected: " + problem);
		}
	}

	private void hold(LockRequest request) {
		String name = request.name();
		if (LockNames.CONTENDED.contains(name) && this.longHoldNext.compareAndSet(true, false)) {
			System.out.println("long-hold of " + name);
			park(LONG_HOLD_NANOS);
		}
		else if (this.random.nextInt(10) == 0 && Math.min(lease(request), maxHold(request)) < LONG_HOLD_NANOS / 5) {
			park(LONG_HOLD_NANOS / 5);
		}
		else {
			boolean allPermits = !request.isExclusive() && !request.isShared();
			park(allPermits || this.random.nextInt(25) == 0 ? this.random.nextLong(SLOW_NANOS)
					: this.random.nextLong(QUICK_NANOS));
		}
	}

	private static void park(long nanos) {
		long end = System.nanoTime() + nanos;
		for (long remaining = nanos; remaining > 0; remaining = end - System.nanoTime()) {
			LockSupport.parkNanos(remaining);
		}
	}

}
