package io.github.lockboot.local;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.lockboot.LockState;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * Leases in the memory of this JVM, with the expiry, the queue and the pushes of a real
 * store. The store replies at once. Thread-safe.
 */
final class LocalLockStore implements LockStore, LockAdministration {

	private static final StoreTraits TRAITS = new StoreTraits("the memory of this JVM", StoreTraits.Tokens.TIMES,
			StoreTraits.Waiting.GRANTS, StoreTraits.Leases.LOCK, StoreTraits.ALL_KINDS);

	private final LocalLocks locks;

	private final String instance;

	LocalLockStore(LocalLocks locks) {
		this.locks = locks;
		this.instance = locks.newInstance();
	}

	@Override
	public StoreTraits traits() {
		return TRAITS;
	}

	@Override
	public String instance() {
		return this.instance;
	}

	@Override
	public void listen(LockPushes pushes) {
		this.locks.listen(this.instance, pushes);
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockAttempt attempt, long seenToken, Queueing queueing,
			long blockNanos) {
		AcquireReply reply = this.locks.change(attempt.lock(),
				(lock, now) -> lock.acquire(attempt, seenToken, queueing, now));
		if (reply instanceof AcquireReply.Queued) {
			this.locks.change(attempt.lock(), LocalLock::holders)
				.forEach((owner) -> this.locks.push(owner, (pushes) -> pushes.queuedBehind(owner)));
		}
		return CompletableFuture.completedStage(reply);
	}

	@Override
	public CompletionStage<RenewReply> renew(LockAttempt attempt) {
		return done(attempt.lock(), (lock, now) -> lock.renew(attempt, now));
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken, long keptMillis) {
		if (keptMillis <= 0) {
			return done(attempt.lock(), (lock, now) -> lock.release(attempt, usedToken, now));
		}
		CompletionStage<ReleaseReply> reply = done(attempt.lock(),
				(lock, now) -> lock.releaseLater(attempt.withLeaseMillis(keptMillis), usedToken, now));
		this.locks.change(attempt.lock(), (lock, now) -> lock.waiters())
			.forEach((waiter) -> this.locks.push(waiter, (pushes) -> pushes.sooner(waiter, attempt.lock())));
		return reply;
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt attempt, long usedToken) {
		return done(attempt.lock(), (lock, now) -> lock.downgrade(attempt, usedToken, now));
	}

	@Override
	public LockAdministration administration() {
		return this;
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String name) {
		List<String> holders = this.locks.change(name, LocalLock::clear);
		holders.forEach((owner) -> this.locks.push(owner, (pushes) -> pushes.taken(owner)));
		return CompletableFuture.completedStage(!holders.isEmpty());
	}

	@Override
	public CompletionStage<LockState> inspect(String name) {
		return done(name, (lock, now) -> lock.state(name, now));
	}

	@Override
	public CompletionStage<List<String>> list(String pattern, String after, int most) {
		return CompletableFuture
			.completedStage(LockAdministration.first(this.locks.heldNames().stream(), pattern, after, most));
	}

	@Override
	public Instances instances() {
		return this.locks;
	}

	@Override
	public void close() {
		this.locks.remove(this.instance);
	}

	private <T> CompletionStage<T> done(String name, LocalLocks.Change<T> change) {
		return CompletableFuture.completedStage(this.locks.change(name, change));
	}

}
