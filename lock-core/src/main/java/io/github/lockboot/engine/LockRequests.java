package io.github.lockboot.engine;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockMachine.Command;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.FailedCall;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;

/**
 * The callers of this JVM that wait for one lock, and the {@link Attempt}s that represent
 * them in the store. One attempt represents all callers that request the lock
 * exclusively, and another one those that share it. A caller with {@code fair} or permits
 * has an attempt for itself. Guarded by the mutex of the {@link LockQueue}.
 */
class LockRequests {

	/** No call occupies the store for the length of a long queue. */
	private static final int MOST_IN_A_CALL = 300;

	/** Others may have released a permit by then. */
	private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final LockMachine.Context context;

	/** What was decided and is not carried out yet, in order; absent if nothing is. */
	private @Nullable Queue<Command> commands;

	/** The attempts whose end the store has not confirmed, in the order of their ids. */
	private Set<Attempt> attempts = Set.of();

	/**
	 * The highest token that this JVM has issued, with which tokens keep growing even
	 * after a fail-over to a store that lost the last tokens and whose clock is behind.
	 */
	private long seenToken;

	/** The turn of all exclusive attempts; present once it has something to note. */
	private @Nullable Turn turn;

	/** The attempt of all callers that request the lock exclusively. */
	private @Nullable Attempt exclusive;

	/** The attempt of further callers that share the lock. */
	private @Nullable Attempt shared;

	/** Present once an attempt has waited in the store's queue. */
	private @Nullable QueuedAttempts queued;

	/** How many callers wait, of those whose number is limited. */
	private int waiting;

	/** Until when callers beyond the limit are refused, after one that has tried. */
	private long busyUntilNanos;

	/** When something is due, or before that. */
	private long wakeNanos = MonotonicClock.NEVER;

	LockRequests(LockMachine.Context context) {
		this.context = context;
		this.turn = context.isPolled() ? new Turn(true) : null;
	}

	LockMachine.Context context() {
		return this.context;
	}

	void decide(Command command) {
		this.commands = (this.commands != null) ? this.commands : new ArrayDeque<>(2);
		this.commands.add(command);
	}

	/** Return what was decided and is not carried out yet. */
	Iterator<Command> decided() {
		return (this.commands != null) ? this.commands.iterator() : Collections.emptyIterator();
	}

	/** Take the next of the commands. */
	@Nullable Command takeDecided() {
		Command next = (this.commands != null) ? this.commands.poll() : null;
		this.commands = (next != null) ? this.commands : null;
		return next;
	}

	/** Return the attempts whose end the store has not confirmed. */
	Set<Attempt> attempts() {
		return this.attempts;
	}

	/** Return the attempt of further callers that share the lock, or that do not. */
	@Nullable Attempt current(boolean sharing) {
		return sharing ? this.shared : this.exclusive;
	}

	@Nullable Attempt find(String id) {
		for (Attempt attempt : this.attempts) {
			if (attempt.id().equals(id)) {
				return attempt;
			}
		}
		return null;
	}

	private @Nullable Attempt attemptOf(Waiter waiter) {
		for (Attempt attempt : this.attempts) {
			if (attempt.waiters().contains(waiter) && attempt.isActive()) {
				return attempt;
			}
		}
		return null;
	}

	// ---- callers

	/**
	 * Count a caller until its wait ends, or refuse it and return false if too many
	 * callers wait. While it is unknown whether the permits are in use, as many callers
	 * more as there may be free permits try once.
	 */
	boolean count(Waiter waiter, long nowNanos) {
		if (!waiter.isLimited()) {
			return true;
		}
		int beyond = this.waiting - waiter.maxWaiting() + 1;
		this.busyUntilNanos = (this.waiting > 0) ? this.busyUntilNanos : nowNanos;
		boolean busy = nowNanos - this.busyUntilNanos < 0;
		if (beyond > 0 && (busy || beyond >= waiter.request().permits())) {
			waiter.complete(waiter.tooManyWaiting());
			return false;
		}
		this.waiting++;
		waiter.count(beyond > 0);
		return true;
	}

	/**
	 * End the wait of a caller, which is no longer counted when it continues, and may
	 * request the lock again at once.
	 */
	private void refuse(Waiter waiter, Outcome refusal, long nowNanos) {
		Outcome outcome = waiter.refusal(refusal);
		stopCounting(waiter, outcome instanceof Outcome.TooManyWaiting, nowNanos);
		waiter.complete(outcome);
	}

	/** Note that a waiter holds the lock now, or leaves. */
	void stopCounting(Waiter waiter, boolean busy, long nowNanos) {
		if (waiter.stopCounting()) {
			this.waiting--;
			this.busyUntilNanos = busy ? nowNanos + BUSY_NANOS : nowNanos;
		}
	}

	/** Request the lock for a caller, at once unless other JVMs take precedence. */
	void begin(Waiter first, long nowNanos) {
		int permits = first.request().permits();
		Turn turn = (permits == 1) ? this.turn : turn(permits);
		long requestNanos = (turn != null) ? turn.requestNanos(first, nowNanos) : nowNanos;
		request(first, permits, turn, Set.of(first), requestNanos, first.blockNanos(), nowNanos);
	}

	/** Return the turn of all exclusive attempts, or a new one for several permits. */
	Turn turn(int permits) {
		Turn turn = (permits == 1 && this.turn != null) ? this.turn : new Turn(permits > 1 && this.context.isPolled());
		this.turn = (permits == 1) ? turn : this.turn;
		return turn;
	}

	/**
	 * Let an attempt represent a further caller, or return false if the caller does not
	 * wait for a lock that is busy.
	 */
	boolean add(Waiter waiter, Attempt attempt, long nowNanos) {
		if (waiter.isLeaving() && (attempt.isWaiting() || attempt.isHeld())) {
			refuse(waiter, attempt.refusal(nowNanos), nowNanos);
			return false;
		}
		attempt.add(waiter);
		wakeAt(waiter.deadlineNanos());
		return true;
	}

	private void request(Waiter first, int permits, @Nullable Turn turn, Set<Waiter> waiters, long requestNanos,
			long blockNanos, long nowNanos) {
		for (Attempt other : Attempt.copy(this.attempts)) {
			if (other.isEnded() && !isKept(other, nowNanos)) {
				forget(other);
			}
		}
		PendingAcquire pending = new PendingAcquire(new LockAttempt(first.request().name(), this.context.ids().get(),
				first.leaseMillis(), permits, first.call().thread().getName(), first.request().reason()), requestNanos);
		Attempt attempt = new Attempt(pending, first.isAlone(), waiters, turn, this);
		this.attempts = Attempt.with(this.attempts, attempt);
		represent(attempt, attempt);
		wakeAt(first.deadlineNanos());
		if (requestNanos - nowNanos <= 0) {
			send(attempt, first, blockNanos, nowNanos);
		}
		else {
			attempt.enter(Attempt.State.WAITING);
			wakeAt(requestNanos);
		}
	}

	private void forget(Attempt attempt) {
		this.attempts = Attempt.without(this.attempts, attempt);
	}

	/** Let another attempt represent the callers of an attempt that are not alone. */
	private void represent(Attempt attempt, @Nullable Attempt next) {
		if (attempt.isAlone()) {
			return;
		}
		if (!attempt.isShared() && (next != null || this.exclusive == attempt)) {
			this.exclusive = next;
		}
		else if (attempt.isShared() && (next != null || this.shared == attempt)) {
			this.shared = next;
		}
	}

	/**
	 * End the wait of a caller whose wait time is over. The caller leaves with the
	 * outcome known so far. If the first request of the first caller has no reply yet,
	 * the caller leaves with the reply, unless the reply takes too long. A wait without
	 * limit ends only if the store has failed for long.
	 */
	private void expire(Waiter waiter, Attempt attempt, long nowNanos) {
		long nextNanos = nowNanos;
		if (waiter.patienceNanos() > 0) {
			long failingNanos = attempt.isAsking() ? attempt.pending().failingNanos(nowNanos) : 0;
			nextNanos += waiter.patienceNanos() - failingNanos;
		}
		else if (attempt.isAsking() && attempt.first() == waiter) {
			nextNanos = attempt.pending().graceNanos(nowNanos);
			waiter.leaveAtNextReply();
		}
		if (nextNanos - nowNanos <= 0) {
			remove(waiter, attempt, nowNanos);
		}
		else {
			waiter.waitUntil(nextNanos);
		}
	}

	/** Remove a caller that has cancelled its request, or whose wait has failed. */
	void remove(Waiter waiter, long nowNanos) {
		Attempt attempt = attemptOf(waiter);
		if (attempt != null) {
			remove(waiter, attempt, nowNanos);
		}
		else {
			stopCounting(waiter, false, nowNanos);
		}
	}

	private void remove(Waiter waiter, Attempt attempt, long nowNanos) {
		attempt.remove(waiter);
		refuse(waiter, attempt.refusal(nowNanos), nowNanos);
		giveUpIfWaitingForNobody(attempt, nowNanos);
	}

	/** Refuse some waiters of an attempt, which ends if it waits for nobody then. */
	void dismiss(Attempt attempt, Function<Waiter, @Nullable Outcome> refusals, long nowNanos) {
		dismissIf(attempt, refusals, nowNanos);
		giveUpIfWaitingForNobody(attempt, nowNanos);
	}

	private void dismissIf(Attempt attempt, Function<Waiter, @Nullable Outcome> refusals, long nowNanos) {
		if (attempt.isActive()) {
			for (Waiter waiter : Attempt.copy(attempt.waiters())) {
				Outcome refusal = refusals.apply(waiter);
				if (refusal != null) {
					attempt.remove(waiter);
					refuse(waiter, refusal, nowNanos);
				}
			}
		}
	}

	/** Refuse the callers that waited only for the next reply. */
	void dismissLeaving(Attempt attempt, long nowNanos) {
		dismissIf(attempt, (waiter) -> waiter.isLeaving() ? attempt.refusal(nowNanos) : null, nowNanos);
	}

	// ---- requests

	/**
	 * Request the lock.
	 * @param blockNanos for how long the thread of the caller may block in the store
	 */
	private void send(Attempt attempt, Waiter first, long blockNanos, long nowNanos) {
		attempt.enter(Attempt.State.ACQUIRING);
		leaveQueue(attempt);
		PendingAcquire pending = attempt.pending();
		boolean isFirst = !pending.isSent();
		Queueing queueing = first.isLeaving() ? Queueing.NO : pending.nextPlace(nowNanos);
		decide(new Command.Acquire(attempt, pending.send(first.leaseMillis()), isFirst, this.seenToken, queueing,
				nowNanos, blockNanos));
	}

	/** Request the lock again, if somebody waits for it. */
	private void repeat(Attempt attempt, long nowNanos) {
		Waiter first = attempt.first();
		if (first != null) {
			send(attempt, first, 0, nowNanos);
		}
	}

	void repeatIfWaiting(Attempt attempt, long nowNanos) {
		if (attempt.isWaiting()) {
			repeat(attempt, nowNanos);
		}
	}

	/** Wait until it is time for the next request. */
	private void pause(Attempt attempt, long nowNanos) {
		attempt.enter(Attempt.State.WAITING);
		leaveQueue(attempt);
		attempt.pending().pause(nowNanos, this.context.random().get());
		if (attempt.pending().place().isAgain()) {
			QueuedAttempts queued = (this.queued != null) ? this.queued : new QueuedAttempts();
			this.queued = queued;
			queued.add(attempt, nowNanos, this.context.random().get());
			wakeAt(queued.wakeNanos());
		}
		else {
			wakeAt(attempt.pending().againNanos());
		}
	}

	private void leaveQueue(Attempt attempt) {
		if (this.queued != null) {
			this.queued.remove(attempt);
		}
	}

	private void giveUpIfWaitingForNobody(Attempt attempt, long nowNanos) {
		if (attempt.isWaiting() && attempt.waiters().isEmpty()) {
			giveUp(attempt, nowNanos);
		}
	}

	/** End an attempt, because its last waiter has left. */
	private void giveUp(Attempt attempt, long nowNanos) {
		end(attempt);
		PendingAcquire pending = attempt.pending();
		if (this.queued != null) {
			this.queued.left(pending, nowNanos);
			wakeAt(this.queued.wakeNanos());
		}
		if (pending.mayBeRemembered()) {
			abandon(attempt, !pending.isUnknown(), nowNanos);
		}
		else if (pending.isSent()) {
			decide(new Command.Forget(pending.attempt()));
		}
	}

	/** End the requests of an attempt, which owns the lock. */
	void end(Attempt attempt, Lease lease) {
		attempt.enter(Attempt.State.HELD);
		leaveQueue(attempt);
		attempt.pending().end(lease);
	}

	private void end(Attempt attempt) {
		attempt.enter(Attempt.State.ENDED);
		forget(attempt);
		leaveQueue(attempt);
		represent(attempt, null);
	}

	/**
	 * Continue after the lease was lost, its release was decided, or the lease came too
	 * late. The waiters request the next lease, at once or after a pause for other JVMs
	 * that poll.
	 */
	void requestNextLease(Attempt attempt, boolean polled, long nowNanos) {
		if (attempt.isEnded()) {
			forget(attempt);
		}
		Waiter first = attempt.first();
		if (first == null) {
			attempt.turn().noteNoCallerWaits(nowNanos);
			represent(attempt, null);
			return;
		}
		long requestNanos = attempt.turn().nextRequestNanos(polled, nowNanos);
		request(first, attempt.permits(), attempt.turn(), attempt.waiters(), requestNanos, 0, nowNanos);
	}

	// ---- replies to requests

	/**
	 * Handle the reply to a request, or its failure, and return the lease if the attempt
	 * owns the lock.
	 * @param failed what is known of a request that has failed
	 */
	@Nullable Lease lease(Command.Acquire request, @Nullable AcquireReply reply, @Nullable Throwable failure, FailedCall failed,
			long nowNanos) {
		Attempt attempt = request.attempt();
		PendingAcquire pending = attempt.pending();
		pending.note(request.queueing(), request.sentNanos(), reply, failure, failed == FailedCall.REFUSED, nowNanos);
		if (!attempt.isAsking()) {
			acquiredLate(attempt, reply, nowNanos);
			return null;
		}
		if (failed == FailedCall.CUT && attempt.first() != null && pending.mayRepeat()) {
			// a cut connection must not fail a caller that tries once
			repeat(attempt, nowNanos);
			return null;
		}
		if (reply instanceof AcquireReply.Owned owned) {
			return acquired(request, owned, nowNanos);
		}
		Lease claimed = claim(attempt, nowNanos);
		if (claimed == null) {
			notAcquired(attempt, reply instanceof AcquireReply.Busy && !request.queueing().wanted(), nowNanos);
		}
		return claimed;
	}

	/**
	 * Own the lock. A store that has lost tokens may reply with a token that this JVM has
	 * issued since the request was sent.
	 */
	private @Nullable Lease acquired(Command.Acquire request, AcquireReply.Owned reply, long nowNanos) {
		Attempt attempt = request.attempt();
		Lease lease = new Lease(request.request(), request.sentNanos(), reply);
		boolean issued = attempt.issue(lease.lastToken()) || lease.lastToken() <= request.seenToken();
		if (issued && !lease.isOver(nowNanos)) {
			return lease;
		}
		// or this JVM was suspended between request and reply
		decide(new Command.Abandon(request.request(), true, nowNanos));
		attempt.enter(Attempt.State.ENDED);
		requestNextLease(attempt, false, nowNanos);
		return null;
	}

	private void notAcquired(Attempt attempt, boolean mayQueueNow, long nowNanos) {
		attempt.turn().ownedElsewhere();
		dismissLeaving(attempt, nowNanos);
		if (attempt.waiters().isEmpty()) {
			giveUp(attempt, nowNanos);
		}
		else if (mayQueueNow || attempt.pending().hasClaim() || attempt.pending().isNotified()) {
			repeat(attempt, nowNanos);
		}
		else {
			pause(attempt, nowNanos);
		}
	}

	/**
	 * Handle a reply that a grant has overtaken. If the attempt is over by now, it may
	 * own the lock again, or wait for it. While the release of the attempt is under way,
	 * a second release could come first and make the first one look like a loss. During a
	 * minimum hold time no request acquires the lock. Only a reply from before the grant
	 * shows that nobody else has held the lock since.
	 */
	private void acquiredLate(Attempt attempt, @Nullable AcquireReply reply, long nowNanos) {
		boolean unknown = attempt.pending().isUnknown();
		OwnedLease owned = attempt.owned();
		boolean kept = owned != null && owned.keptUntilNanos(nowNanos) - nowNanos > 0;
		if (!unknown && (kept || !(reply instanceof AcquireReply.Owned || reply instanceof AcquireReply.Queued))) {
			return;
		}
		if (owned == null || !(attempt.isReleasing() || attempt.isRenewed())) {
			abandon(attempt, !unknown, nowNanos);
		}
		else if (attempt.isReleasing() || unknown) {
			owned.lease().mayBeTakenLate();
		}
		else if (reply instanceof AcquireReply.Queued && attempt.pending().hasClaim()) {
			owned.lease().requested(false);
		}
	}

	/**
	 * Handle the replies to a joint confirmation, or its failure. The attempt that was
	 * first requests the lock if it is free, and has its own time otherwise. An attempt
	 * may have been queued again after it had left.
	 */
	void confirmed(Command.Confirm confirm, @Nullable Map<LockAttempt, AcquireReply> replies,
			@Nullable Throwable failure, long nowNanos) {
		Iterator<LockAttempt> sent = confirm.sinceMicros().keySet().iterator();
		boolean first = confirm.withFirst();
		for (Attempt attempt : confirm.attempts()) {
			LockAttempt key = sent.next();
			AcquireReply reply = (replies != null) ? replies.get(key) : null;
			if (first) {
				first = false;
				if (reply instanceof AcquireReply.Queued queued && queued.remainingMillis() == 0) {
					repeatIfWaiting(attempt, nowNanos);
				}
			}
			else if (attempt.isWaiting()) {
				confirmed(attempt, confirm.sentNanos(), reply, failure, nowNanos);
			}
			else if (attempt.isEnded()) {
				abandon(attempt, failure == null, nowNanos);
			}
		}
	}

	private void abandon(Attempt attempt, boolean answered, long nowNanos) {
		OwnedLease owned = attempt.owned();
		decide(new Command.Abandon(attempt.inStore(), answered,
				(owned != null) ? owned.keptUntilNanos(nowNanos) : nowNanos));
	}

	private void confirmed(Attempt attempt, long sentNanos, @Nullable AcquireReply reply, @Nullable Throwable failure,
			long nowNanos) {
		PendingAcquire pending = attempt.pending();
		if (failure == null && (reply == null || pending.isNewerThan(reply))) {
			repeat(attempt, nowNanos);
			return;
		}
		pending.note(pending.place(), sentNanos, reply, failure, true, nowNanos);
		pause(attempt, nowNanos);
	}

	// ---- pushes

	/**
	 * Note that an attempt that waited in the store owns the lock now, and return the
	 * lease if it can be used. The grant may be pushed twice.
	 */
	@Nullable Lease granted(Attempt attempt, LockPushes.Grant grant, long nowNanos) {
		if (!attempt.isAsking()) {
			return null;
		}
		attempt.pending().granted(grant);
		Lease claimed = claim(attempt, nowNanos);
		if (claimed == null && attempt.pending().hasClaim()) {
			// the claim window may be over; the reply to a request under way will show
			repeatIfWaiting(attempt, nowNanos);
		}
		return claimed;
	}

	/**
	 * Claim a grant, unless this JVM has already issued its token: then the store has
	 * lost tokens in a fail-over, and a request sends the highest token to the store.
	 */
	private @Nullable Lease claim(Attempt attempt, long nowNanos) {
		Lease lease = attempt.pending().claim(this.context.suspendedSince(), nowNanos);
		return (lease != null && attempt.issue(lease.lastToken())) ? lease : null;
	}

	/**
	 * Note that the lock may be free. An attempt that gives other JVMs precedence has not
	 * sent a request yet, and continues its pause.
	 */
	void repeatIfReleased(Attempt attempt, long nowNanos) {
		if (attempt.isAsking() && attempt.pending().released()) {
			repeatIfWaiting(attempt, nowNanos);
		}
	}

	/** Note that the store has replied to the release of an attempt, or failed to. */
	void released(Attempt attempt, boolean nobodyWaited, long nowNanos) {
		if (!isKept(attempt, nowNanos)) {
			forget(attempt);
		}
		if (!nobodyWaited) {
			return;
		}
		boolean pausing = attempt.turn().noteNobodyWaited();
		Attempt next = current(attempt.isShared());
		if (next != null && next.isRenewed()) { // the reply came late
			next.turn().beginSlice(nowNanos);
		}
		if (next != null && pausing) {
			repeatIfWaiting(next, nowNanos);
		}
	}

	/** Return whether a released attempt keeps the lock for a minimum hold time. */
	boolean isKept(String id, long nowNanos) {
		Attempt attempt = find(id);
		return attempt != null && isKept(attempt, nowNanos);
	}

	private static boolean isKept(Attempt attempt, long nowNanos) {
		OwnedLease owned = attempt.owned();
		return attempt.isEnded() && owned != null && owned.keptUntilNanos(nowNanos) - nowNanos > 0;
	}

	/**
	 * Note that a holder of the lock has this token of the store, and return the highest
	 * token so far.
	 */
	long seen(long storeToken) {
		long seen = this.seenToken;
		this.seenToken = Math.max(seen, storeToken);
		return seen;
	}

	// ---- time

	void wakeAt(long nanos) {
		this.wakeNanos = MonotonicClock.earlier(this.wakeNanos, nanos);
	}

	/**
	 * Return when to tick, or {@link MonotonicClock#NEVER} as long as nothing is due.
	 */
	long wakeNanos() {
		for (Attempt attempt : this.attempts) {
			if (attempt.isActive()) {
				return this.wakeNanos;
			}
		}
		return MonotonicClock.NEVER;
	}

	boolean isDue(long nowNanos) {
		return isDue(this.wakeNanos, nowNanos);
	}

	private static boolean isDue(long nanos, long nowNanos) {
		return nanos != MonotonicClock.NEVER && nanos - nowNanos <= 0;
	}

	/** Do what is due for the callers that wait. */
	void tickRequests(long nowNanos) {
		tickQueued(nowNanos);
		for (Attempt attempt : Attempt.copy(this.attempts)) {
			tick(attempt, nowNanos);
		}
	}

	/** Derive anew when something is due. */
	void ticked() {
		this.wakeNanos = (this.queued != null) ? this.queued.wakeNanos() : MonotonicClock.NEVER;
		this.attempts.forEach((attempt) -> wakeAt(wakeNanos(attempt)));
	}

	private void tickQueued(long nowNanos) {
		if (this.queued == null) {
			return;
		}
		List<Attempt> confirmed = this.queued.confirmed(nowNanos, this.context.random().get());
		for (int from = 0; from < confirmed.size(); from += MOST_IN_A_CALL) {
			int to = Math.min(from + MOST_IN_A_CALL, confirmed.size());
			Map<LockAttempt, Long> sinceMicros = new LinkedHashMap<>();
			List<Attempt> some = confirmed.subList(from, to);
			some.forEach(
					(attempt) -> sinceMicros.put(attempt.pending().attempt(), attempt.pending().place().sinceMicros()));
			decide(new Command.Confirm(confirmed.get(0).inStore().lock(), some, sinceMicros, from == 0, nowNanos));
		}
		Attempt requested = this.queued.requested(nowNanos);
		if (requested != null) {
			repeat(requested, nowNanos);
		}
	}

	private void tick(Attempt attempt, long nowNanos) {
		if (attempt.isActive()) {
			for (Waiter waiter : Attempt.copy(attempt.waiters())) {
				if (isDue(waiter.deadlineNanos(), nowNanos)) {
					expire(waiter, attempt, nowNanos);
				}
			}
		}
		if (attempt.isPausing() && isDue(attempt.pending().againNanos(), nowNanos)) {
			repeat(attempt, nowNanos);
		}
	}

	/** Return when something is due for an attempt. */
	private static long wakeNanos(Attempt attempt) {
		OwnedLease owned = attempt.renewed();
		long wakeNanos = (owned != null) ? owned.wakeNanos() : MonotonicClock.NEVER;
		if (attempt.isActive()) {
			for (Waiter waiter : attempt.waiters()) {
				wakeNanos = MonotonicClock.earlier(wakeNanos, waiter.deadlineNanos());
			}
		}
		return attempt.isPausing() ? MonotonicClock.earlier(wakeNanos, attempt.pending().againNanos()) : wakeNanos;
	}

}
