package io.github.lockboot.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A tenure with one holder at a time: its lease goes from caller to caller of this JVM,
 * without the store, while it is valid enough and no other JVM has waited for long, or
 * may have.
 * <p>
 * Passing a lease within a JVM follows lock cohorting (Dice, Marathe, Shavit: Lock
 * Cohorting, PPoPP 2012).
 */
final class ExclusiveTenure extends Tenure {

	/**
	 * How long a lease goes from caller to caller while another JVM waits.
	 */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final long beganNanos;

	private @Nullable Hold holder;

	ExclusiveTenure(Lane lane, Lease lease, long nowNanos) {
		super(lane, lease);
		this.beganNanos = nowNanos;
	}

	@Override
	Runnable enter(Waiter first) {
		return grant(first, lease().lastToken());
	}

	@Override
	boolean join(Waiter waiter) {
		return false;
	}

	@Override
	Runnable leave(Hold hold, CompletableFuture<Void> done) {
		Waiter next = lane().firstWaiter();
		Runnable pass = (next != null && mayPass(hold, next)) ? pass(next) : null;
		if (pass != null) {
			return completing(pass, done);
		}
		this.holder = null;
		return giveBack(hold, done);
	}

	@Override
	@Nullable Hold holder() {
		return this.holder;
	}

	@Override
	boolean isHeldBy(Hold hold) {
		return this.holder == hold;
	}

	@Override
	List<Hold> holders() {
		return (this.holder != null) ? List.of(this.holder) : List.of();
	}

	@Override
	void clear() {
		this.holder = null;
	}

	private Runnable grant(Waiter waiter, long token) {
		this.holder = new Hold(this, lease(), waiter, token, now());
		lane().grant(waiter, this.holder);
		return lease().adopt(waiter.leaseMillis()) ? keeper()::renewNow : StepMutex.NOTHING;
	}

	private boolean mayPass(Hold hold, Waiter next) {
		long now = now();
		return !isTurnOver(now) && hold.keptUntilNanos() - now <= 0 && !hold.isDowngraded() && next.isRenewed()
				&& lease().remainingNanos(now) >= TimeUnit.MILLISECONDS.toNanos(next.leaseMillis()) / 2;
	}

	private boolean isTurnOver(long now) {
		boolean waitedBehind = lane().isWaitedBehind(lease().attempt());
		return (waitedBehind && now - this.beganNanos >= TURN_NANOS) || (lease().isPolled() && lane().isSliceOver(now));
	}

	private @Nullable Runnable pass(Waiter next) {
		long token = lease().nextToken();
		return (token >= 0) ? grant(next, token) : null;
	}

}
