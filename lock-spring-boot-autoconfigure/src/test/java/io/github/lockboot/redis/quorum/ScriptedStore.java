package io.github.lockboot.redis.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.lockboot.LockState;
import io.github.lockboot.engine.AcquireReply;
import io.github.lockboot.engine.Attempt;
import io.github.lockboot.engine.LockStore;
import io.github.lockboot.engine.Queueing;
import io.github.lockboot.engine.ReleaseReply;
import io.github.lockboot.engine.RenewReply;

/**
 * A member that answers to acquire when the test says so, to all else at once, and keeps
 * what it was asked.
 */
final class ScriptedStore implements LockStore {

	final List<Attempt> acquired = new ArrayList<>();

	final List<Queueing> queueings = new ArrayList<>();

	final List<CompletableFuture<AcquireReply>> answers = new ArrayList<>();

	final List<Attempt> released = new CopyOnWriteArrayList<>();

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

	Attempt lastAcquired() {
		return this.acquired.get(this.acquired.size() - 1);
	}

	@Override
	public String instance() {
		return "member";
	}

	@Override
	public CompletionStage<AcquireReply> acquire(Attempt attempt, long seenToken, Queueing queueing) {
		CompletableFuture<AcquireReply> answer = new CompletableFuture<>();
		this.acquired.add(attempt);
		this.queueings.add(queueing);
		this.answers.add(answer);
		return answer;
	}

	@Override
	public CompletionStage<RenewReply> renew(Attempt attempt) {
		return CompletableFuture.completedStage(this.renewal);
	}

	@Override
	public CompletionStage<ReleaseReply> releaseLater(Attempt attempt, long usedToken) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<ReleaseReply> release(Attempt attempt, long usedToken) {
		this.released.add(attempt);
		if (this.failsToRelease) {
			return CompletableFuture.failedStage(new IllegalStateException("no answer"));
		}
		this.confirmed++;
		return CompletableFuture.completedStage(ReleaseReply.RELEASED);
	}

	@Override
	public CompletionStage<RenewReply> downgrade(Attempt attempt, long usedToken) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void close() {
	}

}
