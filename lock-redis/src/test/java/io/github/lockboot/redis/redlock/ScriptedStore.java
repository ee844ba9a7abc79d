package io.github.lockboot.redis.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * A member that replies to acquire when the test says so, to other calls at once, and
 * records the calls.
 */
final class ScriptedStore implements LockStore {

	final List<LockAttempt> acquired = new ArrayList<>();

	final List<Long> seenTokens = new ArrayList<>();

	final List<Queueing> queueings = new ArrayList<>();

	final List<CompletableFuture<AcquireReply>> answers = new ArrayList<>();

	final List<LockAttempt> released = new CopyOnWriteArrayList<>();

	final List<Long> usedTokens = new CopyOnWriteArrayList<>();

	RenewReply renewal = new RenewReply.NotOwner();

	volatile boolean failsToRelease;

	volatile int confirmed;

	void answer(AcquireReply reply) {
		this.answers.get(this.answers.size() - 1).complete(reply);
	}

	void owned(long token) {
		answer(new AcquireReply.Owned(token, token + 1_000_000, 0));
	}

	void busy(long remainingMillis) {
		answer(new AcquireReply.Busy(remainingMillis));
	}

	void fail() {
		this.answers.get(this.answers.size() - 1).completeExceptionally(new IllegalStateException("no answer"));
	}

	LockAttempt lastAcquired() {
		return this.acquired.get(this.acquired.size() - 1);
	}

	@Override
	public StoreTraits traits() {
		return new StoreTraits("a member", StoreTraits.Tokens.TIMES, StoreTraits.Waiting.POLLING,
				StoreTraits.Leases.LOCK, StoreTraits.ALL_KINDS);
	}

	@Override
	public String instance() {
		return "member";
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockAttempt owner, long seenToken, Queueing queueing,
			long blockNanos) {
		CompletableFuture<AcquireReply> answer = new CompletableFuture<>();
		this.acquired.add(owner);
		this.seenTokens.add(seenToken);
		this.queueings.add(queueing);
		this.answers.add(answer);
		return answer;
	}

	@Override
	public CompletionStage<RenewReply> renew(LockAttempt owner) {
		return CompletableFuture.completedStage(this.renewal);
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockAttempt owner, long usedToken, long keptMillis) {
		this.released.add(owner);
		this.usedTokens.add(usedToken);
		if (this.failsToRelease) {
			return CompletableFuture.failedStage(new IllegalStateException("no answer"));
		}
		this.confirmed++;
		return CompletableFuture.completedStage(ReleaseReply.RELEASED);
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt owner, long usedToken) {
		throw new UnsupportedOperationException();
	}

	@Override
	public LockAdministration administration() {
		throw new UnsupportedOperationException("too many keys");
	}

	@Override
	public void close() {
	}

}
