package io.github.lockboot.engine;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * A store that records owner ids, so that a test can release a lock without its holder.
 */
final class RecordingStore implements LockStore {

	private final LockStore store;

	private final Map<String, LockAttempt> attempts = new ConcurrentHashMap<>();

	RecordingStore(LockStore store) {
		this.store = store;
	}

	/** Release a lock by its last owner id. */
	void steal(String lock) {
		LockAttempt attempt = this.attempts.get(lock);
		if (attempt != null) {
			this.store.release(attempt, 0, 0).toCompletableFuture().join();
		}
	}

	@Override
	public StoreTraits traits() {
		return this.store.traits();
	}

	@Override
	public String instance() {
		return this.store.instance();
	}

	@Override
	public void listen(LockPushes pushes) {
		this.store.listen(pushes);
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockAttempt attempt, long seenToken, Queueing queueing,
			long blockNanos) {
		this.attempts.put(attempt.lock(), attempt);
		return this.store.acquire(attempt, seenToken, queueing, blockNanos);
	}

	@Override
	public CompletionStage<RenewReply> renew(LockAttempt attempt) {
		return this.store.renew(attempt);
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken, long keptMillis) {
		return this.store.release(attempt, usedToken, keptMillis);
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt attempt, long usedToken) {
		return this.store.downgrade(attempt, usedToken);
	}

	@Override
	public LockAdministration administration() {
		return this.store.administration();
	}

	@Override
	public FailedCall failureOf(Throwable failure) {
		return this.store.failureOf(failure);
	}

	@Override
	public boolean isReachable() {
		return this.store.isReachable();
	}

	@Override
	public void close() {
		this.store.close();
	}

}
