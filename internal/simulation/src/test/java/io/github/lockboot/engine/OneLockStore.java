package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.StoreTraits;

/** A store of one lock that replies at once. */
@NullMarked
final class OneLockStore implements LockStore {

	private static final StoreTraits TRAITS = new StoreTraits("a test", StoreTraits.Tokens.TIMES,
			StoreTraits.Waiting.GRANTS, StoreTraits.Leases.LOCK, StoreTraits.ALL_KINDS);

	private static final int RESERVED = 1000;

	private final List<String> owners = new ArrayList<>();

	private boolean exclusive;

	private long token;

	@Override
	public synchronized CompletionStage<AcquireReply> acquire(LockAttempt attempt, long seenToken, Queueing queueing,
			long blockNanos) {
		boolean free = this.owners.isEmpty() || (!this.exclusive && attempt.permits() > this.owners.size());
		if (!free && !this.owners.contains(attempt.id())) {
			return CompletableFuture.completedStage(new AcquireReply.Busy(1000));
		}
		this.owners.add(attempt.id());
		this.exclusive = attempt.permits() == 1;
		this.token += RESERVED;
		return CompletableFuture.completedStage(new AcquireReply.Owned(this.token, this.token + RESERVED - 1, 0));
	}

	@Override
	public synchronized CompletionStage<RenewReply> renew(LockAttempt attempt) {
		return CompletableFuture.completedStage(this.owners.contains(attempt.id())
				? new RenewReply.Renewed(this.token + RESERVED - 1, 0) : new RenewReply.NotOwner());
	}

	@Override
	public synchronized CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken, long keptMillis) {
		boolean owned = this.owners.remove(attempt.id());
		return CompletableFuture.completedStage(owned ? ReleaseReply.UNAWAITED : ReleaseReply.NOT_OWNER);
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt attempt, long usedToken) {
		throw new UnsupportedOperationException();
	}

	@Override
	public LockAdministration administration() {
		throw new UnsupportedOperationException();
	}

	synchronized boolean isFree() {
		return this.owners.isEmpty();
	}

	@Override
	public String instance() {
		return "jvm";
	}

	@Override
	public StoreTraits traits() {
		return TRAITS;
	}

	@Override
	public void listen(LockPushes pushes) {
		// never pushes
	}

	@Override
	public void close() {
		// has no connection
	}

}
