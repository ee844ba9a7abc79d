package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockLostException;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.FailedCall;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.engine.support.FencingTokens;

/**
 * Everything that this JVM knows of one lock: the {@link LockRequests} of the callers
 * that wait, which it adds to, and the {@link OwnedLease}s of those that hold the lock.
 * The machine has no thread, no timer and no clock, and calls nobody: each event is a
 * method with the time of the event, and decides {@link Command}s. Guarded by the mutex
 * of the {@link LockQueue}.
 */
final class LockMachine extends LockRequests {

	LockMachine(Context context) {
		super(context);
	}

	/** Return whether nobody requests or holds the lock. */
	boolean isUnused(long nowNanos) {
		return attempts().stream().allMatch((attempt) -> attempt.isEnded() && !isKept(attempt.id(), nowNanos));
	}

	/** Add the holders and the waiters to lists. */
	void report(List<Holder> holders, List<Waiter> waiters) {
		for (Attempt attempt : attempts()) {
			OwnedLease owned = attempt.renewed();
			if (owned != null) {
				holders.addAll(owned.holders());
			}
			if (attempt.isActive()) {
				waiters.addAll(attempt.waiters());
			}
		}
	}

	// ---- callers

	/** Admit a caller, or refuse it. */
	void submit(Waiter waiter, long nowNanos) {
		if (!count(waiter, nowNanos)) {
			return;
		}
		boolean sharing = waiter.request().isShared();
		if (waiter.isAlone() || sharing) {
			// it would block this attempt
			releaseRetained(nowNanos);
		}
		Attempt attempt = waiter.isAlone() ? null : current(sharing);
		if (attempt == null) {
			begin(waiter, nowNanos);
		}
		else if (attempt.isShared() && attempt.isHeld()) {
			join(waiter, attempt, nowNanos);
		}
		else if (add(waiter, attempt, nowNanos) && attempt.isRetained()) {
			change(attempt, (owned) -> owned.retake(waiter, nowNanos), nowNanos);
		}
	}

	/**
	 * Let a caller join the holders of a shared lock. If another JVM waits, the caller
	 * has to queue in the store, and needs another attempt.
	 */
	private void join(Waiter waiter, Attempt attempt, long nowNanos) {
		OwnedLease owned = attempt.renewed();
		if (owned != null && owned.mayBeJoined(waiter, nowNanos)) {
			change(attempt, (joined) -> joined.join(waiter, nowNanos), nowNanos);
		}
		else {
			begin(waiter, nowNanos);
		}
	}

	/** Refuse the waiters that shutdown no longer admits. */
	void dismiss(Function<Waiter, @Nullable Outcome> refusals, long nowNanos) {
		releaseRetained(nowNanos);
		Attempt.copy(attempts()).forEach((attempt) -> dismiss(attempt, refusals, nowNanos));
	}

	// ---- requests

	/**
	 * Handle the reply to a request, or its failure.
	 * @param failed what is known of a request that has failed
	 */
	void acquired(Command.Acquire request, @Nullable AcquireReply reply, @Nullable Throwable failure, FailedCall failed,
			long nowNanos) {
		own(request.attempt(), lease(request, reply, failure, failed, nowNanos), nowNanos);
	}

	/** Note that an attempt that waited in the store owns the lock now. */
	void granted(LockPushes.Grant grant, long nowNanos) {
		Attempt attempt = find(grant.attempt().id());
		if (attempt != null) {
			own(attempt, granted(attempt, grant, nowNanos), nowNanos);
		}
	}

	/** Note that the lock may be free. */
	void releasedElsewhere(long nowNanos) {
		Attempt.copy(attempts()).forEach((attempt) -> repeatIfReleased(attempt, nowNanos));
	}

	/**
	 * Note that the lock is free sooner than an attempt knows. If it has left, those with
	 * a request under way and the first one that waits take note.
	 */
	void sooner(String id, long nowNanos) {
		Attempt known = find(id);
		for (Attempt attempt : (known != null) ? Set.of(known) : Attempt.copy(attempts())) {
			boolean waits = attempt.isWaiting();
			repeatIfReleased(attempt, nowNanos);
			if (waits) {
				return;
			}
		}
	}

	/** Repeat the requests, because pushes may have been missed. */
	void missed(long nowNanos) {
		for (Attempt attempt : Attempt.copy(attempts())) {
			releaseRetained(attempt, nowNanos);
			repeatIfWaiting(attempt, nowNanos);
		}
	}

	/**
	 * Revalidate the lock: a lease may be lost, or a push missed.
	 * @param reason why the lease is lost if the store no longer knows it
	 */
	void revalidate(String reason, long nowNanos) {
		for (Attempt attempt : Attempt.copy(attempts())) {
			change(attempt, (owned) -> owned.revalidate(reason, nowNanos), nowNanos);
			repeatIfWaiting(attempt, nowNanos);
		}
	}

	// ---- owning the lock

	/** Own the lock instead of requesting it, if there is a lease. */
	private void own(Attempt attempt, @Nullable Lease lease, long nowNanos) {
		if (lease == null) {
			return;
		}
		end(attempt, lease);
		OwnedLease owned = new OwnedLease(attempt, lease, nowNanos);
		attempt.own(owned);
		owned.begin(nowNanos);
		dismissLeaving(attempt, nowNanos);
		settle(attempt, owned, nowNanos);
	}

	/** Change the lease of an attempt that holds or retains the lock. */
	private void change(Attempt attempt, Consumer<OwnedLease> change, long nowNanos) {
		OwnedLease owned = attempt.renewed();
		if (owned != null) {
			change.accept(owned);
			settle(attempt, owned, nowNanos);
		}
	}

	/** Change the lease of a holder, or return false if the hold has ended. */
	boolean change(Holder holder, Consumer<OwnedLease> change, long nowNanos) {
		for (Attempt attempt : attempts()) {
			OwnedLease owned = attempt.renewed();
			if (owned != null && owned.isHeldBy(holder)) {
				change(attempt, change, nowNanos);
				return true;
			}
		}
		return false;
	}

	/** Continue after a change of a lease, which may have ended it. */
	private void settle(Attempt attempt, OwnedLease owned, long nowNanos) {
		if (attempt.isRenewed()) {
			wakeAt(owned.wakeNanos());
		}
		else {
			requestNextLease(attempt, owned.lease().isPolled(), nowNanos);
		}
	}

	/** Handle the reply to a renewal, or its failure. */
	void renewed(Command.Renew renew, @Nullable RenewReply reply, @Nullable Throwable failure, long nowNanos) {
		change(renew.attempt(), (owned) -> owned.replied(renew, reply, failure, nowNanos), nowNanos);
		if (renew.done() != null) {
			decide(new Command.Done(renew.done()));
		}
	}

	/** Handle the reply to a release, or its failure. */
	void released(Command.Release release, @Nullable ReleaseReply reply, long nowNanos) {
		Attempt attempt = release.attempt();
		OwnedLease owned = attempt.owned();
		if (owned != null) {
			if (release.last() != null) {
				attempt.turn().left(true, nowNanos);
			}
			owned.released(release, reply, nowNanos);
			released(attempt, reply == ReleaseReply.UNAWAITED, nowNanos);
		}
	}

	/** Note that another JVM waits behind an attempt, whose lock is retained. */
	void recall(Attempt attempt, long nowNanos) {
		if (attempt.isRetained()) {
			change(attempt, (owned) -> owned.recall(nowNanos), nowNanos);
		}
	}

	/** Release the lock if it is retained. */
	void releaseRetained(long nowNanos) {
		Attempt attempt = current(false);
		if (attempt != null) {
			releaseRetained(attempt, nowNanos);
		}
	}

	private void releaseRetained(Attempt attempt, long nowNanos) {
		if (attempt.isRetained()) {
			change(attempt, (owned) -> owned.releaseRetained(nowNanos), nowNanos);
		}
	}

	/** Lose the lock that the store has taken away from an attempt. */
	void taken(String id, String reason, boolean mayBeOurs, long nowNanos) {
		Attempt attempt = find(id);
		if (attempt != null) {
			change(attempt, (owned) -> owned.lose(reason, mayBeOurs, nowNanos), nowNanos);
		}
	}

	/** Take the lock away from its holders by some attempts. */
	void takeAway(Predicate<String> ids, String reason, long nowNanos) {
		for (Attempt attempt : Attempt.copy(attempts())) {
			if (attempt.isHeld() && ids.test(attempt.id())) {
				change(attempt, (owned) -> owned.lose(reason, true, nowNanos), nowNanos);
			}
		}
	}

	// ---- time

	/** Do what is due. A tick that comes early does nothing. */
	void tick(long nowNanos) {
		if (!isDue(nowNanos)) {
			return;
		}
		tickRequests(nowNanos);
		for (Attempt attempt : Attempt.copy(attempts())) {
			change(attempt, (owned) -> owned.tick(nowNanos), nowNanos);
		}
		ticked();
	}

	/**
	 * What the machines of an engine know of their surroundings.
	 *
	 * @param ids return the id of the next attempt
	 * @param random returns the source of jitter
	 * @param suspendedSince returns whether the machine was suspended after a time, so
	 * that a deadline may be too late which counts from that time or before it
	 * @param reachable returns whether the store may be reachable
	 * @param open returns whether all callers are admitted
	 */
	record Context(Supplier<StoreTraits> storeTraits, FencingTokens tokens, Supplier<String> ids,
			Supplier<RandomGenerator> random, LongPredicate suspendedSince, BooleanSupplier reachable,
			BooleanSupplier open) {

		StoreTraits traits() {
			return this.storeTraits.get();
		}

		boolean isPolled() {
			return traits().waiting() == StoreTraits.Waiting.POLLING;
		}

		boolean isLeaseOfSession() {
			return traits().leases() == StoreTraits.Leases.SESSION;
		}

	}

	/**
	 * What a machine has decided: a call of the store, or a notification. The commands of
	 * one lock are carried out in the order in which they were decided.
	 */
	sealed interface Command {

		/** Give the lock to a waiter. This is done at once, before other commands. */
		record Grant(Waiter waiter, Holder holder) implements Command {

		}

		/**
		 * Request the lock.
		 *
		 * @param first whether this is the first request of the attempt
		 * @param sentNanos when the request was decided, which is before it is sent
		 * @param blockNanos for how long the thread of the caller may block in the store
		 */
		record Acquire(Attempt attempt, LockAttempt request, boolean first, long seenToken, Queueing queueing,
				long sentNanos, long blockNanos) implements Command {

		}

		/**
		 * Confirm that several attempts wait in the queue of the store.
		 *
		 * @param sinceMicros the attempts as the store knows them, in the same order
		 * @param withFirst whether the first one requests the lock by itself
		 */
		record Confirm(String lock, List<Attempt> attempts, Map<LockAttempt, Long> sinceMicros, boolean withFirst,
				long sentNanos) implements Command {

		}

		/**
		 * Renew a lease.
		 *
		 * @param done completed once the store has replied or failed to reply
		 */
		record Renew(Attempt attempt, Lease.Term term, @Nullable CompletableFuture<Void> done) implements Command {

		}

		/**
		 * Release the lock.
		 *
		 * @param last the last holder, if the lock ever had one
		 * @param done completed once the store has replied or failed to reply
		 */
		record Release(Attempt attempt, LockAttempt owner, long usedToken, long keptMillis, @Nullable Holder last,
				CompletableFuture<Void> done) implements Command {

		}

		/** Let others share the lock. */
		record Downgrade(LockAttempt owner, long usedToken, CompletableFuture<Void> done) implements Command {

		}

		/**
		 * Release, in the background, an attempt that may own the lock or wait for it.
		 *
		 * @param answered whether the store has replied to all requests of the attempt
		 * @param keptUntilNanos until when the lock stays held, which may be now
		 */
		record Abandon(LockAttempt attempt, boolean answered, long keptUntilNanos) implements Command {

		}

		/** Expect no more pushes for an attempt. */
		record Forget(LockAttempt attempt) implements Command {

		}

		/** Note that a retained lock is idle now, or no longer. */
		record Idle(boolean idle) implements Command {

		}

		/** Complete a future that somebody may wait for. */
		record Done(CompletableFuture<Void> done) implements Command {

		}

		/** Notify a holder that its lease is lost. */
		record Lost(Holder holder, LockLostException loss, List<Runnable> callbacks) implements Command {

		}

		/** Report a renewal. */
		record Renewed(@Nullable Holder holder, LockAttempt renewal, long tookNanos, Duration lease,
				long leftNanos) implements Command {

		}

		/**
		 * Warn holders of a loss.
		 *
		 * @param first whether the lease was not at risk before
		 */
		record AtRisk(List<Holder> holders, String reason, Duration left, boolean first) implements Command {

		}

		/** Release a hold that nobody else can release. */
		record ReleaseUnreachable(Holder holder) implements Command {

		}

	}

}
