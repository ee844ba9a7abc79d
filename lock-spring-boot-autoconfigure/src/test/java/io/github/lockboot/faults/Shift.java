package io.github.lockboot.faults;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.github.lockboot.LockHandle;

/**
 * What a clerk does while it holds a lock: it reads the ledger, thinks, and writes what
 * follows, even if it has lost the lock meanwhile, as a program without a check would.
 */
final class Shift {

	/** Longer than a lease, which has to be renewed meanwhile. */
	private static final long LINGER_NANOS = FaultRun.LEASE.toNanos() * 5 / 4;

	private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	private final Ledger ledger;

	private final String actor;

	private final Random random;

	private final AtomicBoolean lingerNext;

	/**
	 * Create the shift of a clerk.
	 * @param ledger where to count; for this clerk alone
	 * @param actor name of the clerk
	 * @param random for this clerk alone
	 * @param lingerNext set if the next to work of all clerks is to take its time
	 */
	Shift(Ledger ledger, String actor, Random random, AtomicBoolean lingerNext) {
		this.ledger = ledger;
		this.actor = actor;
		this.random = random;
		this.lingerNext = lingerNext;
	}

	/**
	 * Count once.
	 * @param hold the hold to work under
	 * @param depth how often the lock was entered
	 * @param askedNanos before the lock was asked for
	 */
	void count(LockHandle hold, int depth, long askedNanos) {
		work(hold, depth, askedNanos, true, () -> think(hold));
	}

	/**
	 * Do something else under the hold, and count nothing.
	 * @param hold the hold to work under
	 * @param askedNanos before the lock was asked for
	 * @param work what to do
	 */
	void around(LockHandle hold, long askedNanos, Runnable work) {
		work(hold, 1, askedNanos, false, work);
	}

	private void work(LockHandle hold, int depth, long askedNanos, boolean writes, Runnable work) {
		long before = System.nanoTime();
		boolean held = hold.isHeld();
		long since = System.nanoTime();
		// after a hand-over it may say more, and then asks the store for this much
		long promised = since + Math.min(hold.remainingLease().toNanos(), FaultRun.LEASE.toNanos());
		if (!held) {
			return;
		}
		Entry.Entrance entrance = new Entry.Entrance(hold.name(), this.actor, hold.fencingToken(), depth);
		Ledger.Reading reading = this.ledger.open(entrance, askedNanos + " " + before + " " + since + " " + promised);
		try {
			work.run();
		}
		finally {
			long at = System.nanoTime();
			String state = at + " " + (hold.isHeld() ? 1 : 0);
			this.ledger.leave(entrance, state, writes ? reading : null);
		}
	}

	private void think(LockHandle hold) {
		if (this.lingerNext.compareAndSet(true, false)) {
			System.out.println("lingers in " + hold.name());
			pass(LINGER_NANOS);
		}
		else {
			pass(this.random.nextInt(25) == 0 ? this.random.nextLong(LONG_NANOS) : this.random.nextLong(SHORT_NANOS));
		}
	}

	private static void pass(long nanos) {
		long end = System.nanoTime() + nanos;
		for (long left = nanos; left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
