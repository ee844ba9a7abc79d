package io.github.lockboot.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * The end of one hold: completed, never exceptionally, when the store has answered or
 * failed to, or need not be told.
 */
final class Release extends CompletableFuture<Void> {

	/** What keeps its call back; absent for a hold that ends alone. */
	private final @Nullable Batch<ReleaseReply> batch;

	Release() {
		this.batch = null;
	}

	/**
	 * Create the end of one of several holds.
	 * @param batch what keeps the calls for all of them back
	 */
	Release(Batch<ReleaseReply> batch) {
		this.batch = batch;
	}

	void complete() {
		complete(null);
	}

	/**
	 * Give a lease back to the store.
	 * @param store the store
	 * @param attempt its attempt
	 * @param usedToken highest token it gave out
	 * @return what the store answers
	 */
	CompletionStage<ReleaseReply> ask(LockStore store, Attempt attempt, long usedToken) {
		CompletionStage<ReleaseReply> kept = (this.batch != null) ? this.batch.add(attempt, usedToken) : null;
		return (kept != null) ? kept : store.release(attempt, usedToken);
	}

}
