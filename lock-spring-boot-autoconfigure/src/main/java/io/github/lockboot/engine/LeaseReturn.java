package io.github.lockboot.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Gives one lease back to its store: tries again until the store has answered or the
 * lease is over, and never renews it. "Not the owner" in answer to a repeated release
 * means that an earlier one has worked.
 */
final class LeaseReturn {

	/**
	 * Who is told when all is done, on a timer's or the store's thread.
	 */
	interface Owner {

		/**
		 * The lease is given back.
		 * @param lease which
		 * @param lostBefore whether the store did not know it as the owner any more
		 */
		void returned(Lease lease, boolean lostBefore);

	}

	private final LockStore store;

	private final LockClock clock;

	private final Owner owner;

	private final Lease lease;

	private final long token;

	private final long keptUntilNanos;

	private final Backoff backoff = new Backoff();

	private final CompletableFuture<Void> answered = new CompletableFuture<>();

	private boolean again;

	/**
	 * Create a return.
	 * @param store the store
	 * @param clock the clock
	 * @param owner who is told
	 * @param lease the lease
	 * @param keptUntilNanos until when the store is to keep the lock nevertheless; a time
	 * in the past for not at all
	 */
	LeaseReturn(LockStore store, LockClock clock, Owner owner, Lease lease, long keptUntilNanos) {
		this.store = store;
		this.clock = clock;
		this.owner = owner;
		this.lease = lease;
		this.token = lease.lastToken();
		this.keptUntilNanos = keptUntilNanos;
	}

	/**
	 * Return what tells that the store has answered once, or has failed to.
	 * @return never completed exceptionally
	 */
	CompletableFuture<Void> answered() {
		return this.answered;
	}

	void send() {
		Replies.ask(this::ask).whenComplete((reply, failure) -> {
			try {
				if (reply == null && this.lease.remainingNanos(this.clock.nanoTime()) > 0) {
					sendLater();
				}
				else {
					this.owner.returned(this.lease, reply == ReleaseReply.NOT_OWNER && !this.again);
				}
			}
			finally {
				this.answered.complete(null);
			}
		});
	}

	private CompletionStage<ReleaseReply> ask() {
		long keepMillis = TimeUnit.NANOSECONDS.toMillis(this.keptUntilNanos - this.clock.nanoTime());
		if (keepMillis <= 0) {
			return this.store.release(this.lease.attempt(), this.token);
		}
		return this.store.renew(this.lease.attempt().withLeaseMillis(keepMillis))
			.thenApply(
					(reply) -> (reply instanceof RenewReply.Renewed) ? ReleaseReply.RELEASED : ReleaseReply.NOT_OWNER);
	}

	private void sendLater() {
		this.again = true;
		long now = this.clock.nanoTime();
		long pause = Math.min(this.backoff.nextNanos(), this.lease.remainingNanos(now));
		this.clock.schedule(now + pause, this::send);
	}

}
