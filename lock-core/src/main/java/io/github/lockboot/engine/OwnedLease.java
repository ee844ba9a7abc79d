package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockLostException;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockMachine.Command;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * A lease that an attempt of this JVM owns, and the callers that hold it: one after the
 * other, or at the same time if it is shared. When a holder leaves, the lease passes to
 * the next caller, stays in this JVM for a while, or ends.
 * <p>
 * The lease is renewed after a third of its time, and a renewal that fails is repeated
 * soon: the lease is lost only if the store replies that the attempt is not the owner, or
 * if the deadline has passed. A lock that was handed over has a short lease, whose first
 * renewal can wait for a moment. The holders are warned before a loss. Guarded by the
 * mutex of the {@link LockQueue}.
 */
final class OwnedLease {

	static final String NOT_KNOWN = "the store no longer knows it as the owner";

	private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long LONGEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/**
	 * How long a push that was missed may delay others while a lock is retained, or
	 * passed on without a request.
	 */
	private static final long UNNOTICED_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * The lease of an idle lock, which is as long as that of a lock that was handed over.
	 */
	private static final long IDLE_LEASE_MILLIS = 2000;

	/**
	 * How long a holder keeps the short lease of a lock that was handed over: most
	 * holders have released the lock by then, which saves a renewal.
	 */
	private static final long BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final Attempt attempt;

	private final Lease lease;

	private final long beganNanos;

	private Set<Holder> holders = Set.of();

	/** Present once the lock was retained. */
	private Turn.@Nullable Retention retention;

	/** When to renew, unless a reply comes first. */
	private long renewNanos;

	/** When to renew, to warn or to lose the lease. */
	private long wakeNanos;

	/** The risk that the holders were warned of. */
	private int warnedRisk;

	private @Nullable Throwable lastFailure;

	/** Why the lease is lost if the store no longer knows it. */
	private String expectedLoss = NOT_KNOWN;

	/** Whether the lease is still that of an idle lock. */
	private boolean shortened;

	/** Whether a longer lease waits for the reply to a renewal that is shorter. */
	private boolean postponed;

	/** The released holder for whose minimum hold time the lock stays held. */
	private @Nullable Holder kept;

	OwnedLease(Attempt attempt, Lease lease, long nowNanos) {
		this.attempt = attempt;
		this.lease = lease;
		this.beganNanos = nowNanos;
	}

	Lease lease() {
		return this.lease;
	}

	private LockAttempt owner() {
		return this.lease.attempt();
	}

	private LockMachine.Context context() {
		return this.attempt.requests().context();
	}

	private void decide(Command command) {
		this.attempt.requests().decide(command);
	}

	private long ownedForNanos(long nowNanos) {
		return nowNanos - this.beganNanos;
	}

	// ---- holders

	boolean isHeldBy(Holder holder) {
		return this.attempt.isRenewed() && this.holders.contains(holder);
	}

	List<Holder> holders() {
		return List.copyOf(this.holders);
	}

	/**
	 * Return the current holder, or the one that has held the lock for longest if there
	 * are several; {@code null} if the lock is retained.
	 */
	private @Nullable Holder holder() {
		return this.holders.isEmpty() ? null : this.holders.iterator().next();
	}

	/**
	 * Begin the lease: grant the lock to the first caller, or to all callers that share
	 * it. A lock that was handed over has a short lease, which is enough for a holder
	 * that releases it soon.
	 */
	void begin(long nowNanos) {
		noteQueued(this.lease.queued(), nowNanos);
		Waiter first = this.attempt.first();
		if (first == null) {
			releaseRetained(nowNanos);
			return;
		}
		boolean adopted = false;
		for (Waiter next = first; next != null; next = this.attempt.isShared() ? this.attempt.first() : null) {
			grant(next, this.lease.lastToken(), nowNanos);
			adopted = adopt(leaseMillisWith(next.leaseMillis())) || adopted;
		}
		Holder holder = holder();
		if (!adopted) {
			renewAt(this.lease.firstRenewalNanos(), nowNanos);
		}
		else if (holder != null && isLeft(holder, nowNanos) && isLongEnoughFor(holder, nowNanos)) {
			renewAt(nowNanos + BRIEF_NANOS, nowNanos);
		}
		else {
			renew(true, nowNanos);
		}
	}

	private void grant(Waiter waiter, long token, long nowNanos) {
		Holder holder = new Holder(waiter, this.lease, token, nowNanos);
		this.holders = Attempt.with(this.holders, holder);
		this.attempt.remove(waiter);
		decide(new Command.Grant(waiter, holder));
	}

	/**
	 * Return the length of the lease with a new holder: the length that this holder
	 * requests, or the longest one of several holders.
	 */
	private long leaseMillisWith(long leaseMillis) {
		return this.attempt.isShared() ? Math.max(leaseMillis, owner().leaseMillis()) : leaseMillis;
	}

	/**
	 * Return whether a caller may join the holders of a shared lock without a request to
	 * the store.
	 */
	boolean mayBeJoined(Waiter next, long nowNanos) {
		return Turn.mayJoin(this.attempt.isWaitedBehind(), this.lease, ownedForNanos(nowNanos))
				&& hasHalfOf(next.leaseMillis(), nowNanos);
	}

	void join(Waiter next, long nowNanos) {
		grant(next, this.lease.lastToken(), nowNanos);
		ask(nowNanos);
	}

	/** Pass the lease on within this JVM, retain the lock, or release it. */
	void leave(Holder holder, CompletableFuture<Void> done, long nowNanos) {
		if (this.lease.isOver(nowNanos)) {
			lose("its lease had run out before it was released", true, nowNanos);
			decide(new Command.Done(done));
			return;
		}
		holder.released();
		Waiter next = this.attempt.first();
		long token = (next != null && mayBePassed(holder, next, nowNanos)) ? issueNext() : -1;
		this.holders = Attempt.without(this.holders, holder);
		if (next != null && token >= 0) {
			grantAgain(next, token, nowNanos);
		}
		else if (this.holders.isEmpty() && (next != null || !retain(holder, nowNanos))) {
			release(holder, done, nowNanos);
			return;
		}
		done.complete(null); // which nobody waits for yet
	}

	/** Grant the lock without a request to the store. */
	private void grantAgain(Waiter next, long token, long nowNanos) {
		grant(next, token, nowNanos);
		passedOn(leaseMillisWith(next.leaseMillis()), nowNanos);
	}

	/** Issue the next reserved token, or return -1 if no token is reserved. */
	private long issueNext() {
		long token = this.lease.nextToken();
		return this.attempt.issue(token) ? token : -1;
	}

	/** Return whether a holder may pass the lease on without a request to the store. */
	private boolean mayBePassed(Holder holder, Waiter next, long nowNanos) {
		return this.attempt.turn().mayPass(this.attempt.isWaitedBehind(), this.lease, ownedForNanos(nowNanos), nowNanos)
				&& isLeft(holder, nowNanos) && next.isRenewed() && hasHalfOf(next.leaseMillis(), nowNanos);
	}

	/** Return whether a holder leaves a lease that others may use. */
	private boolean isLeft(Holder holder, long nowNanos) {
		return !this.attempt.isShared() && holder.keptUntilNanos() - nowNanos <= 0 && !holder.isDowngraded();
	}

	/**
	 * Return whether at least half of a lease is left, and the lease may be used without
	 * a request to the store.
	 */
	private boolean hasHalfOf(long leaseMillis, long nowNanos) {
		return this.lease.hasHalfOf(leaseMillis, nowNanos)
				&& !context().suspendedSince().test(this.lease.confirmedNanos())
				&& context().reachable().getAsBoolean();
	}

	void downgrade(CompletableFuture<Void> done) {
		decide(new Command.Downgrade(owner(), this.lease.usedToken(), done));
	}

	void loseIfOver(long nowNanos) {
		if (this.lease.isOver(nowNanos)) {
			lose("its lease ran out", true, nowNanos);
		}
	}

	// ---- retention

	/**
	 * Keep the lock for the next caller; if another JVM waits, only for a moment. The
	 * push about that JVM may arrive at the same time, without the mutex: either the push
	 * sees that the lock is retained, or this method sees the push.
	 */
	private boolean retain(Holder last, long nowNanos) {
		Turn turn = this.attempt.turn();
		turn.left(false, nowNanos);
		boolean awaited = this.attempt.isWaitedBehind();
		long lengthNanos = mayBeRetained(last, nowNanos)
				? turn.retainNanos(awaited, last.retainNanos(), ownedForNanos(nowNanos)) : 0;
		if (lengthNanos <= 0) {
			return false;
		}
		this.attempt.enter(Attempt.State.RETAINED);
		this.retention = (this.retention != null) ? this.retention : new Turn.Retention();
		this.retention.begin(awaited, lengthNanos, nowNanos);
		return awaited || !this.attempt.isWaitedBehind();
	}

	private boolean mayBeRetained(Holder last, long nowNanos) {
		boolean settled = this.lastFailure == null && (!this.shortened || this.lease.isSettled());
		return !this.attempt.isAlone() && isLeft(last, nowNanos) && last.isRenewed() && settled
				&& !this.lease.isPolled() && !this.lease.isMaybeTakenLate() && context().open().getAsBoolean();
	}

	/** Give the retained lock to a caller, without a request to the store if possible. */
	void retake(Waiter next, long nowNanos) {
		if (this.lease.isOver(nowNanos)) {
			lose("its lease had run out while nobody held it", true, nowNanos);
			return;
		}
		long token = mayBeRetaken(next, nowNanos) ? issueNext() : -1;
		if (token < 0) {
			releaseRetained(nowNanos);
			return;
		}
		this.attempt.enter(Attempt.State.HELD);
		retention().taken();
		this.attempt.turn().heldOff(true);
		stopIdling();
		grantAgain(next, token, nowNanos);
	}

	/** The lease may be short, unless it has to outlive a holder that dies. */
	private boolean mayBeRetaken(Waiter next, long nowNanos) {
		long leaseMillis = (next.request().minHoldTime() != null) ? next.leaseMillis()
				: Math.min(next.leaseMillis(), IDLE_LEASE_MILLIS);
		return next.isRenewed() && hasHalfOf(leaseMillis, nowNanos);
	}

	private Turn.Retention retention() {
		return Objects.requireNonNull(this.retention);
	}

	private void stopIdling() {
		if (this.retention != null && this.retention.stopIdling()) {
			decide(new Command.Idle(false));
		}
	}

	/** Release a retained lock, because another JVM waits for it. */
	void recall(long nowNanos) {
		if (retention().isHoldOff()) {
			return;
		}
		this.attempt.turn().recalled(retention().isOfUse());
		releaseRetained(nowNanos);
	}

	/** Shorten the lease, so that other JVMs do not wait for long if this JVM dies. */
	private void shorten(long nowNanos) {
		if (context().isLeaseOfSession() || this.shortened || owner().leaseMillis() <= IDLE_LEASE_MILLIS) {
			return;
		}
		this.shortened = true;
		this.lease.adopt(IDLE_LEASE_MILLIS);
		renew(true, nowNanos);
	}

	// ---- the length of the lease

	/**
	 * Adopt the length that a new holder requests, and return whether to renew the lease.
	 * A short lease stays short while the store may still execute a renewal for it.
	 */
	private boolean adopt(long leaseMillis) {
		this.postponed = !this.lease.mayLast(leaseMillis);
		if (this.postponed) {
			return false;
		}
		this.shortened = false;
		boolean differs = this.lease.adopt(leaseMillis);
		return differs || this.lease.isShortOfTokens();
	}

	/** Return whether a lease that is to be longer is enough for a while. */
	private boolean isLongEnoughFor(Holder holder, long nowNanos) {
		Duration length = this.lease.length();
		long wantedMillis = Math.min(owner().leaseMillis(), holder.millisToMaximum(nowNanos));
		return holder.isRenewed() && length.toMillis() < wantedMillis
				&& this.lease.remainingNanos(nowNanos) >= Math.max(length.toNanos() / 2, 5 * BRIEF_NANOS);
	}

	/**
	 * Adopt the length that a caller requests that received the lease without a request
	 * to the store. A lease that is used again is worth its first renewal, whose reply
	 * shows whether a waiter polls. A lease that has to outlive its holder until the
	 * minimum hold time is over begins again.
	 */
	private void passedOn(long leaseMillis, long nowNanos) {
		Holder holder = holder();
		boolean outlives = holder != null && holder.request().minHoldTime() != null;
		if (adopt(leaseMillis) || (this.lease.awaitsItsFirstRenewal() && !this.attempt.isWaitedBehind()) || outlives) {
			renew(true, nowNanos);
		}
		else {
			ask(nowNanos);
		}
	}

	/**
	 * Ask the store from time to time whether others wait, while callers receive the
	 * lease without a request: the push about other waiters may be missed, or never be
	 * sent. A store whose waiters poll does not know its waiters.
	 */
	private void ask(long nowNanos) {
		boolean known = context().traits().waiting() == StoreTraits.Waiting.GRANTS;
		if (known && nowNanos - this.lease.askedNanos() >= UNNOTICED_NANOS) {
			renew(true, nowNanos);
		}
	}

	// ---- when to renew, and warnings before a loss

	private void renewAt(long renewNanos, long nowNanos) {
		this.renewNanos = renewNanos;
		long riskNanos = this.lease.nextRiskNanos(leftWhenDueNanos(nowNanos), nowNanos);
		this.wakeNanos = MonotonicClock.earlier(renewNanos, riskNanos);
	}

	/** Return when it is time for {@link #tick}. */
	long wakeNanos() {
		return this.attempt.isRetained() ? MonotonicClock.earlier(this.wakeNanos, retention().wakeNanos())
				: this.wakeNanos;
	}

	/**
	 * Do what is due: renew the lease, warn the holders that no renewal has succeeded, or
	 * end the retention.
	 */
	void tick(long nowNanos) {
		if (this.attempt.isRetained() && retention().wakeNanos() - nowNanos <= 0) {
			tickRetained(nowNanos);
		}
		if (!this.attempt.isRenewed() || this.wakeNanos - nowNanos > 0) {
			return;
		}
		if (this.lease.isOver(nowNanos) || this.renewNanos - nowNanos <= 0) {
			renew(this.attempt.isRetained() || this.lease.isToAsk(nowNanos), nowNanos);
		}
		else {
			renewAt(this.renewNanos, nowNanos);
			Command warning = warning(nowNanos);
			if (warning != null) {
				decide(warning);
			}
		}
	}

	private void tickRetained(long nowNanos) {
		if (retention().isOver(nowNanos)) {
			this.attempt.turn().heldOff(retention().isOfUse());
			releaseRetained(nowNanos);
		}
		else if (retention().becomesIdle(nowNanos)) {
			decide(new Command.Idle(true));
			shorten(nowNanos);
		}
	}

	/**
	 * Return how much of the lease is normally left when a renewal is due. A lease that
	 * the maximum hold time of its holder shortens counts as a whole one.
	 */
	private long leftWhenDueNanos(long nowNanos) {
		return isLimited(nowNanos) ? TimeUnit.MILLISECONDS.toNanos(owner().leaseMillis()) / 3 * 2
				: this.lease.leftWhenDueNanos();
	}

	private boolean isLimited(long nowNanos) {
		Holder holder = holder();
		return holder != null && !this.lease.isAdopted() && holder.millisToMaximum(nowNanos) < owner().leaseMillis();
	}

	private @Nullable Command warning(long nowNanos) {
		Holder holder = holder();
		int risk = this.lease.risk(leftWhenDueNanos(nowNanos), nowNanos);
		if (holder == null || risk <= this.warnedRisk) {
			return null;
		}
		this.warnedRisk = risk;
		String reason = holder.reasonOfRisk(this.lastFailure, nowNanos) + "; " + this.lease.history(nowNanos);
		return new Command.AtRisk(holders(), reason, Duration.ofNanos(this.lease.remainingNanos(nowNanos)),
				this.attempt.isFirstRisk());
	}

	// ---- renewals

	/** Renew the lease, and perhaps ask who waits. */
	private void renew(boolean asks, long nowNanos) {
		Holder holder = holder();
		if (this.lease.isOver(nowNanos)) {
			String end = (holder == null || holder.isRenewed()) ? "before it could be renewed"
					: "and was not to be renewed";
			loseOrEnd(
					"its lease of " + this.lease.length().toMillis() + " ms ran out " + end
							+ ((this.lastFailure != null) ? " (last failure: " + this.lastFailure + ")" : ""),
					true, nowNanos);
			return;
		}
		Command warning = warning(nowNanos);
		LockAttempt renewal = (holder == null) ? this.lease.renewing(true, Long.MAX_VALUE)
				: renewal(holder, holder.isRenewed(), nowNanos);
		send(renewal, asks, null, nowNanos);
		if (warning != null) {
			decide(warning);
		}
		renewAt(this.lease.deadlineNanos(), nowNanos);
		if (renewal != null) { // by when a reply has come, which need not move the timer
			this.wakeNanos = MonotonicClock.earlier(this.wakeNanos, Lease.afterThird(nowNanos, renewal));
		}
		for (Holder each : this.holders) { // a stream would cost more than the rest
			if (each.isUnreachable()) {
				decide(new Command.ReleaseUnreachable(each));
			}
		}
	}

	private @Nullable LockAttempt renewal(Holder holder, boolean wanted, long nowNanos) {
		if (wanted) {
			this.lease.adopt(holder.renewalMillis(nowNanos));
		}
		return this.lease.renewing(wanted, holder.millisToMaximum(nowNanos));
	}

	/**
	 * Renew the lease of a holder now, even a fixed one.
	 * @param done completed once the store has replied or failed to reply
	 */
	void renew(Holder holder, CompletableFuture<Void> done, long nowNanos) {
		send(renewal(holder, true, nowNanos), true, done, nowNanos);
		renewAt(this.lease.deadlineNanos(), nowNanos);
	}

	/**
	 * Revalidate the lease at the store, which may be over.
	 * @param reason why, if it is over
	 */
	void revalidate(String reason, long nowNanos) {
		if (this.attempt.isRetained()) {
			releaseRetained(nowNanos);
			return;
		}
		this.lease.doubt(nowNanos);
		this.expectedLoss = reason;
		Holder holder = Objects.requireNonNull(holder());
		send(holder.isRenewed() ? renewal(holder, true, nowNanos) : this.lease.renewingRemainder(nowNanos), true, null,
				nowNanos);
	}

	private void send(@Nullable LockAttempt renewal, boolean asks, @Nullable CompletableFuture<Void> done,
			long nowNanos) {
		if (renewal != null) {
			Lease.Term term = this.lease.send(renewal, done == null && mayBeExtended(), asks, nowNanos);
			decide(new Command.Renew(this.attempt, term, done));
		}
		else if (done != null) {
			decide(new Command.Done(done));
		}
	}

	/** Return whether only this attempt owns the lock, which is not idle. */
	private boolean mayBeExtended() {
		Holder holder = holder();
		return this.attempt.permits() == 1 && !this.shortened && !(holder != null && holder.isDowngraded());
	}

	/** Handle the reply to a renewal, or its failure. */
	void replied(Command.Renew renew, @Nullable RenewReply reply, @Nullable Throwable failure, long nowNanos) {
		if (reply != null) {
			this.lease.answered(renew.term());
		}
		if (reply instanceof RenewReply.Renewed renewed) {
			renewed(renew.term(), renewed, nowNanos);
		}
		else if (reply instanceof RenewReply.NotOwner) {
			loseOrEnd(this.expectedLoss, false, nowNanos);
		}
		else if (this.attempt.isRetained()) {
			releaseRetained(nowNanos);
		}
		else {
			this.lastFailure = failure;
			long pause = Math.min(LONGEST_RETRY_NANOS, this.lease.remainingNanos(nowNanos) / 4);
			renewAt(nowNanos + Math.max(SHORTEST_RETRY_NANOS, pause), nowNanos);
		}
	}

	private void renewed(Lease.Term renewal, RenewReply.Renewed reply, long nowNanos) {
		this.lastFailure = null;
		this.expectedLoss = NOT_KNOWN;
		Holder holder = holder();
		boolean fixed = holder != null && !holder.isRenewed();
		long tookNanos = Math.max(nowNanos - renewal.sentNanos(), fixed ? 0 : this.lease.overdueNanos(nowNanos));
		decide(new Command.Renewed(holder, renewal.attempt(), tookNanos, this.lease.length(),
				this.lease.remainingNanos(nowNanos)));
		this.lease.renewed(renewal, reply);
		if (this.lease.isLatest(renewal)) {
			renewAt(Lease.afterThird(renewal.sentNanos(), renewal.attempt()), nowNanos);
		}
		if (!isLimited(nowNanos)) { // otherwise the renewal averts nothing
			this.warnedRisk = Math.min(this.warnedRisk, this.lease.risk(leftWhenDueNanos(nowNanos), nowNanos));
		}
		if (renewal.asks() || reply.queued() != 0) {
			noteQueued(reply.queued(), nowNanos);
		}
		if (this.postponed && this.attempt.isHeld() && holder != null
				&& adopt(leaseMillisWith(holder.leaseMillis(context().isLeaseOfSession())))) {
			renew(true, nowNanos);
		}
	}

	/** Note how many other attempts waited in the store when the lease was renewed. */
	private void noteQueued(long queued, long nowNanos) {
		this.attempt.noteQueued(this.lease, queued, nowNanos);
		if (this.attempt.isRetained() && this.attempt.isWaitedBehind()) {
			recall(nowNanos);
		}
		else if (this.attempt.isRetained() && this.lease.isPolled()) {
			releaseRetained(nowNanos);
		}
	}

	// ---- the end

	/** Release the lock, which nobody holds. */
	void releaseRetained(long nowNanos) {
		release(null, new CompletableFuture<>(), nowNanos);
	}

	/**
	 * Release the lock. Once the release is decided, only its reply concerns this lease.
	 * The next attempt is sent without waiting for the reply, because the store executes
	 * the requests of one connection in order. If the two requests use different
	 * connections, the next attempt may find the lock busy, and acquires the lock through
	 * the release or through a later request.
	 * @param last the last holder, if the lock ever had one
	 * @param done completed once the store has replied or failed to reply
	 */
	private void release(@Nullable Holder last, CompletableFuture<Void> done, long nowNanos) {
		this.attempt.enter(Attempt.State.RELEASING);
		stopIdling();
		long keptMillis = (last == null) ? 0
				: Math.max(0, TimeUnit.NANOSECONDS.toMillis(last.keptUntilNanos() - nowNanos));
		this.kept = (keptMillis > 0) ? last : null;
		decide(new Command.Release(this.attempt, owner(), this.lease.usedToken(), keptMillis, last, done));
	}

	/**
	 * Handle the reply to the release. If the store has failed, or a late request may
	 * acquire the lock again, even after the end of a minimum hold time, releases
	 * continue in the background and nobody waits for them.
	 */
	void released(Command.Release release, @Nullable ReleaseReply reply, long nowNanos) {
		boolean confirmed = reply != null && (isKept() || !this.lease.isMaybeTakenLate());
		Holder last = release.last();
		this.attempt.enter(Attempt.State.ENDED);
		if (confirmed && reply == ReleaseReply.NOT_OWNER && last != null) {
			notifyLost(last, "it was no longer owned when it was released", new AtomicBoolean(), nowNanos);
		}
		if (confirmed && !this.lease.isMaybeTakenLate()) {
			decide(new Command.Forget(owner()));
		}
		else {
			abandon(keptUntilNanos(nowNanos));
		}
		decide(new Command.Done(release.done()));
	}

	/**
	 * Return whether the lock stays held for the minimum hold time of a released hold.
	 */
	boolean isKept() {
		return this.kept != null;
	}

	/**
	 * Return until when the lock stays held although nobody holds it; the present if it
	 * does not.
	 */
	long keptUntilNanos(long nowNanos) {
		return (this.kept != null) ? this.kept.keptUntilNanos() : nowNanos;
	}

	private void abandon(long keptUntilNanos) {
		decide(new Command.Abandon(this.lease.longest(), !this.lease.isMaybeTakenLate(), keptUntilNanos));
	}

	/**
	 * Lose the lease, and notify its holders.
	 * @param mayBeOurs whether the attempt may still be the owner in the store
	 */
	void lose(String reason, boolean mayBeOurs, long nowNanos) {
		this.attempt.enter(Attempt.State.ENDED);
		stopIdling();
		String loss = reason + ((this.holders.size() > 1) ? "; " + this.holders.size() + " holders" : "");
		AtomicBoolean reported = new AtomicBoolean();
		this.holders.forEach((holder) -> notifyLost(holder, loss, reported, nowNanos));
		this.holders = Set.of();
		if (mayBeOurs || this.lease.isMaybeTakenLate()) {
			abandon(nowNanos);
		}
		else {
			decide(new Command.Forget(owner()));
		}
	}

	/** Lose the lease, perhaps because the maximum hold time is over. */
	private void loseOrEnd(String reason, boolean mayBeOurs, long nowNanos) {
		Holder holder = holder();
		boolean tooLong = holder != null && holder.isTooLong(nowNanos);
		lose(tooLong ? "it was held for longer than its maximum hold time" : reason, mayBeOurs, nowNanos);
	}

	private void notifyLost(Holder holder, String reason, AtomicBoolean reported, long nowNanos) {
		LockLostException loss = new LockLostException(owner().lock(), reason + "; " + this.lease.history(nowNanos),
				Duration.ofNanos(nowNanos - holder.sinceNanos()), holder.fencingToken(context().tokens()));
		decide(new Command.Lost(holder, loss, holder.lost(loss, reported)));
	}

}
