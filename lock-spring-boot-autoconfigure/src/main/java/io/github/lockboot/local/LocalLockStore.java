package io.github.lockboot.local;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

import io.github.lockboot.LockState;
import io.github.lockboot.engine.AcquireReply;
import io.github.lockboot.engine.Attempt;
import io.github.lockboot.engine.LockPushes;
import io.github.lockboot.engine.LockStore;
import io.github.lockboot.engine.Queueing;
import io.github.lockboot.engine.ReleaseReply;
import io.github.lockboot.engine.RenewReply;

/**
 * Leases in the memory of this JVM, with the expiry, the queue and the pushes of a real
 * store. Answers at once.
 */
final class LocalLockStore implements LockStore {

	private final LocalLocks locks;

	private final String instance;

	LocalLockStore(LocalLocks locks) {
		this.locks = locks;
		this.instance = locks.newInstance();
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
	public CompletionStage<AcquireReply> acquire(Attempt attempt, long seenToken, Queueing queueing) {
		AcquireReply reply = this.locks.change(attempt.lock(),
				(lock, now) -> lock.acquire(attempt, seenToken, queueing, now));
		if (reply instanceof AcquireReply.Queued) {
			this.locks.change(attempt.lock(), LocalLock::holders)
				.forEach((owner) -> this.locks.tell(owner, (pushes) -> pushes.queuedBehind(owner)));
		}
		return CompletableFuture.completedStage(reply);
	}

	@Override
	public CompletionStage<RenewReply> renew(Attempt attempt) {
		return done(attempt.lock(), (lock, now) -> lock.renew(attempt, now));
	}

	@Override
	public CompletionStage<ReleaseReply> release(Attempt attempt, long usedToken) {
		return done(attempt.lock(), (lock, now) -> lock.release(attempt, usedToken, now));
	}

	@Override
	public CompletionStage<ReleaseReply> releaseLater(Attempt attempt, long usedToken) {
		return done(attempt.lock(), (lock, now) -> lock.releaseLater(attempt, usedToken, now));
	}

	@Override
	public boolean takesAtOnce(Collection<String> locks) {
		return true;
	}

	@Override
	public CompletionStage<Map<Attempt, AcquireReply>> acquireAll(Map<Attempt, Long> seenTokens) {
		return doneWithAll(seenTokens, (locks, now) -> {
			boolean free = locks.entrySet().stream().allMatch((each) -> each.getValue().isFor(each.getKey(), now));
			Map<Attempt, AcquireReply> replies = new HashMap<>();
			locks.forEach((attempt, lock) -> replies.put(attempt,
					free ? lock.acquire(attempt, seenTokens.getOrDefault(attempt, 0L), Queueing.NO, now)
							: new AcquireReply.Busy(lock.isFor(attempt, now) ? 0 : lock.remainingMillis(now))));
			return replies;
		});
	}

	@Override
	public CompletionStage<Map<Attempt, ReleaseReply>> releaseAll(Map<Attempt, Long> usedTokens) {
		return doneWithAll(usedTokens, (locks, now) -> {
			Map<Attempt, ReleaseReply> replies = new HashMap<>();
			locks.forEach((attempt, lock) -> replies.put(attempt,
					lock.release(attempt, usedTokens.getOrDefault(attempt, 0L), now)));
			return replies;
		});
	}

	@Override
	public CompletionStage<RenewReply> downgrade(Attempt attempt, long usedToken) {
		return done(attempt.lock(), (lock, now) -> lock.downgrade(attempt, usedToken, now));
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String name) {
		List<String> holders = this.locks.change(name, LocalLock::clear);
		holders.forEach((owner) -> this.locks.tell(owner, (pushes) -> pushes.taken(owner)));
		return CompletableFuture.completedStage(!holders.isEmpty());
	}

	@Override
	public CompletionStage<LockState> inspect(String name) {
		return done(name, (lock, now) -> lock.state(name, now));
	}

	@Override
	public void close() {
		this.locks.forget(this.instance);
	}

	private <R> CompletionStage<Map<Attempt, R>> doneWithAll(Map<Attempt, Long> tokens,
			BiFunction<Map<Attempt, LocalLock>, Long, Map<Attempt, R>> change) {
		List<Attempt> attempts = List.copyOf(tokens.keySet());
		return CompletableFuture
			.completedStage(this.locks.changeAll(attempts.stream().map(Attempt::lock).toList(), (locks, now) -> {
				Map<Attempt, LocalLock> byAttempt = new LinkedHashMap<>();
				for (int i = 0; i < attempts.size(); i++) {
					byAttempt.put(attempts.get(i), locks.get(i));
				}
				return change.apply(byAttempt, now);
			}));
	}

	private <T> CompletionStage<T> done(String name, LocalLocks.Change<T> change) {
		return CompletableFuture.completedStage(this.locks.change(name, change));
	}

}
