package io.github.lockboot.faults;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.lockboot.LockHandle;

/**
 * What a clerk does while it holds a lock: it reads the ledger, thinks, and writes what
 * follows, even if it has lost the lock meanwhile, as a program without a check would.
 */
final class Shift {

	private final Ledger ledger;

	private final String actor;

	private final Random random;

	private final long leaseNanos;

	Shift(Ledger ledger, String actor, Random random, long leaseNanos) {
		this.ledger = ledger;
		this.actor = actor;
		this.random = random;
		this.leaseNanos = leaseNanos;
	}

	/**
	 * Count once.
	 * @param hold the hold to work under
	 * @param depth how often the lock was entered
	 * @param askedNanos before the lock was asked for
	 */
	void count(LockHandle hold, int depth, long askedNanos) {
		work(hold, depth, askedNanos, true, this::think);
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
		long promised = since + Math.min(hold.remainingLease().toNanos(), this.leaseNanos);
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

	/** Mostly not for long, but now and then for so long that the lease is renewed. */
	private void think() {
		int dice = this.random.nextInt(2000);
		long nanos = (dice == 0) ? this.leaseNanos * 3 / 2
				: TimeUnit.MICROSECONDS.toNanos(this.random.nextInt((dice < 40) ? 20_000 : 2000));
		long end = System.nanoTime() + nanos;
		while (end - System.nanoTime() > 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

}
