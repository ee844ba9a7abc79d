package io.github.lockboot.redis.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.lockboot.LockState;
import io.github.lockboot.engine.AcquireReply;
import io.github.lockboot.engine.Attempt;
import io.github.lockboot.engine.LockStore;
import io.github.lockboot.engine.Queueing;
import io.github.lockboot.engine.ReleaseReply;
import io.github.lockboot.engine.RenewReply;

/**
 * A member that answers to acquire when the test says so, to release at once, and keeps
 * what it was asked.
 */
final class ScriptedStore implements LockStore {

	final List<Attempt> acquired = new ArrayList<>();

	final List<Queueing> queueings = new ArrayList<>();

	final List<CompletableFuture<AcquireReply>> answers = new ArrayList<>();

	final List<Attempt> released = new ArrayList<>();

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
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<ReleaseReply> releaseLater(Attempt attempt, long usedToken) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<ReleaseReply> release(Attempt attempt, long usedToken) {
		this.released.add(attempt);
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
