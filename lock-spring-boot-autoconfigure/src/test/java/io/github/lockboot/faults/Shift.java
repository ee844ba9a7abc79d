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
 * What a clerk does while it holds a lock: it reads the ledger, thinks, and writes what
 * follows, even if it has lost the lock meanwhile, as a program without a check would.
 */
final class Shift {

	/** Longer than a lease, which has to be renewed meanwhile. */
	private static final long LINGER_NANOS = FaultRun.LEASE.toNanos() * 3 / 2;

	private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** What is subtracted for clocks that differ, and what is rounded down. */
	private static final long DRIFT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	private final @Nullable LockOperations store;

	private final StoreWatch watch;

	private final Ledger ledger;

	private final String actor;

	private final Random random;

	private final AtomicBoolean lingerNext;

	/**
	 * Create the shift of a clerk.
	 * @param store where one server knows how long a key lives, or {@code null} where a
	 * majority of servers does, which is not known to one that can't ask all of them
	 * @param watch what sees the engine ask its store
	 * @param ledger where to count; for this clerk alone
	 * @param actor name of the clerk
	 * @param random for this clerk alone
	 * @param lingerNext set if the next to work of all clerks is to take its time
	 */
	Shift(@Nullable LockOperations store, StoreWatch watch, Ledger ledger, String actor, Random random,
			AtomicBoolean lingerNext) {
		this.store = store;
		this.watch = watch;
		this.ledger = ledger;
		this.actor = actor;
		this.random = random;
		this.lingerNext = lingerNext;
	}

	/**
	 * Count once; those who share a lock look only.
	 * @param request what was asked for
	 * @param hold the hold to work under
	 * @param depth how often the lock was entered
	 * @param askedNanos before the lock was asked for
	 */
	void count(LockRequest request, LockHandle hold, int depth, long askedNanos) {
		work(request, hold, depth, askedNanos, request.isExclusive(), () -> think(request));
	}

	/**
	 * Do something else under the hold, and count nothing.
	 * @param request what was asked for
	 * @param hold the hold to work under
	 * @param askedNanos before the lock was asked for
	 * @param work what to do
	 */
	void around(LockRequest request, LockHandle hold, long askedNanos, Runnable work) {
		work(request, hold, 1, askedNanos, false, work);
	}

	/**
	 * Take a lock away from whoever has it.
	 * @param request the lock
	 * @param force how; if nobody answers it may still happen later
	 */
	void force(LockRequest request, Runnable force) {
		long from = System.nanoTime();
		long late = FaultRun.OUTAGE.toNanos() * 4;
		try {
			force.run();
			late = 0;
		}
		finally {
			this.ledger.note("force " + new Entry.Acquisition(request.name(), this.actor, 0, 0, 1) + " " + from + " "
					+ (System.nanoTime() + late));
		}
	}

	private void work(LockRequest request, LockHandle hold, int depth, long askedNanos, boolean writes, Runnable work) {
		long before = System.nanoTime();
		boolean held = hold.isHeld();
		long since = System.nanoTime();
		long remaining = hold.remainingLease().toNanos();
		// a lock that is taken by force is handed over for longer
		reportIf(remaining > FaultRun.LEASE.toNanos() && !request.name().endsWith("forced"),
				"A hold says that it has " + remaining + " ns left, which is more than a lease");
		// after a hand-over it may say more, and then asks the store for this much
		long promised = Math.min(since + Math.min(remaining, certain(lease(request))),
				askedNanos + certain(longest(request)));
		if (!held) {
			return;
		}
		List<Entry.Acquisition> acquisitions = request.names()
			.stream()
			.map((name) -> new Entry.Acquisition(name, this.actor, hold.fencingToken(name), depth, request.permits()))
			.toList();
		List<Ledger.Reading> readings = acquisitions.stream()
			.map((acquisition) -> this.ledger.open(acquisition,
					askedNanos + " " + before + " " + since + " " + promised))
			.toList();
		try {
			if (this.store != null && request.isExclusive() && acquisitions.size() == 1
					&& this.random.nextInt(20) == 0) {
				compare(this.store, acquisitions.get(0), hold, askedNanos);
			}
			work.run();
		}
		finally {
			long at = System.nanoTime();
			boolean stillHeld = hold.isHeld();
			reportIf(stillHeld && at - since > longest(request), "A lock is held for longer than its longest hold");
			String state = Math.max(at, askedNanos + shortest(request)) + " " + (stillHeld ? 1 : 0);
			for (int i = 0; i < acquisitions.size(); i++) {
				this.ledger.leave(acquisitions.get(i), state, writes ? readings.get(i) : null);
			}
			this.watch.tell(this.ledger);
		}
	}

	/** Ask the store how long the key of a lock lives. */
	private void compare(LockOperations store, Entry.Acquisition acquisition, LockHandle hold, long askedNanos) {
		long before = System.nanoTime() + hold.remainingLease().toNanos();
		try {
			Duration remaining = store.inspect(acquisition.lock()).remaining();
			long key = System.nanoTime() + ((remaining != null) ? remaining.toNanos() : 0);
			// a shorter lease of its own is asked for after the hold was handed out
			long lease = Math.min(before, System.nanoTime() + hold.remainingLease().toNanos());
			if (hold.isHeld()) {
				this.ledger.note("compare " + acquisition + " " + askedNanos + " " + lease + " " + key);
			}
		}
		catch (LockUnavailableException ex) {
			// nobody can tell
		}
	}

	private static long lease(LockRequest request) {
		Duration lease = request.leaseTime();
		return ((lease != null) ? lease : FaultRun.LEASE).toNanos();
	}

	/** What is left of a time when clocks differ. */
	private static long certain(long nanos) {
		return nanos - nanos / 50 - DRIFT_NANOS;
	}

	private static long longest(LockRequest request) {
		Duration longest = request.maxHoldTime();
		return ((longest != null) ? longest : Duration.ofHours(1)).toNanos();
	}

	/** As long nobody else has the lock, but for what is rounded down. */
	private static long shortest(LockRequest request) {
		Duration shortest = request.minHoldTime();
		return (shortest != null) ? shortest.toNanos() - DRIFT_NANOS : 0;
	}

	private static void reportIf(boolean violated, String what) {
		if (violated) {
			System.out.println("unexpected: " + what);
		}
	}

	private void think(LockRequest request) {
		String name = request.name();
		if (LockNames.CONTENDED.contains(name) && this.lingerNext.compareAndSet(true, false)) {
			System.out.println("lingers in " + name);
			pass(LINGER_NANOS);
		}
		else if (this.random.nextInt(10) == 0 && Math.min(lease(request), longest(request)) < LINGER_NANOS / 5) {
			pass(LINGER_NANOS / 5);
		}
		else {
			boolean wanted = !request.isExclusive() && !request.isShared(); // all permits
			pass(wanted || this.random.nextInt(25) == 0 ? this.random.nextLong(LONG_NANOS)
					: this.random.nextLong(SHORT_NANOS));
		}
	}

	private static void pass(long nanos) {
		long end = System.nanoTime() + nanos;
		for (long left = nanos; left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
