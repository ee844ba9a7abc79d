package io.github.lockboot.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A tenure with many holders at the same time: one hold in the store for all callers of
 * this JVM that share the lock. Newcomers join them without the store until somebody
 * waits who would not share it.
 */
final class SharedTenure extends Tenure {

	private final Set<Hold> holders = new LinkedHashSet<>();

	SharedTenure(Lane lane, Lease lease) {
		super(lane, lease);
	}

	@Override
	Runnable enter(Waiter first) {
		Runnable step = StepMutex.NOTHING;
		for (Waiter waiter = first; waiter != null; waiter = lane().firstWaiter()) {
			grant(waiter);
			if (lease().adopt(Math.max(waiter.leaseMillis(), lease().attempt().leaseMillis()))) {
				step = keeper()::renewNow;
			}
		}
		return step;
	}

	@Override
	boolean join(Waiter waiter) {
		long halfOfLease = TimeUnit.MILLISECONDS.toNanos(waiter.leaseMillis()) / 2;
		if (lane().isWaitedBehind(lease().attempt()) || lease().remainingNanos(now()) < halfOfLease) {
			return false;
		}
		grant(waiter);
		return true;
	}

	@Override
	Runnable leave(Hold hold, CompletableFuture<Void> done) {
		this.holders.remove(hold);
		return this.holders.isEmpty() ? giveBack(hold, done) : completing(StepMutex.NOTHING, done);
	}

	@Override
	@Nullable Hold holder() {
		return this.holders.isEmpty() ? null : this.holders.iterator().next();
	}

	@Override
	boolean isHeldBy(Hold hold) {
		return this.holders.contains(hold);
	}

	@Override
	List<Hold> holders() {
		return List.copyOf(this.holders);
	}

	@Override
	void clear() {
		this.holders.clear();
	}

	private void grant(Waiter waiter) {
		Hold hold = new Hold(this, lease(), waiter, lease().lastToken(), now());
		this.holders.add(hold);
		lane().grant(waiter, hold);
	}

}
