package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.lockboot.concurrent.StageFailure;

/**
 * Changes of an entry one key at a time. While a slot moves, a cluster refuses commands
 * on several keys and follows those on one.
 */
final class StepwiseChanges {

	private final RedisCalls calls;

	private final CacheKeys keys;

	private final Duration memory;

	/**
	 * Create the changes.
	 * @param memory how long the time of an evict is remembered
	 */
	StepwiseChanges(RedisCalls calls, CacheKeys keys, Duration memory) {
		this.calls = calls;
		this.keys = keys;
		this.memory = memory;
	}

	/** Do something else if a command was refused since its slot moves. */
	static <T> CompletableFuture<T> ifItMoves(Throwable failure, Supplier<CompletableFuture<T>> other) {
		boolean moves = String.valueOf(StageFailure.cause(failure).getMessage()).startsWith("TRYAGAIN");
		return moves ? other.get() : CompletableFuture.failedFuture(failure);
	}

	/**
	 * Evict an entry. The lease ends before the entry: whatever is stored in between was
	 * loaded after the change.
	 */
	CompletableFuture<Boolean> evict(String cache, EntryKeys keys, long graceMillis) {
		return step(keys.tombstone(), "bury", Argument.of(graceMillis), Argument.of(this.memory.toMillis()))
			.thenCompose((done) -> step(keys.lease(), "delete"))
			.thenCompose((done) -> step(keys.data(), "delete", Argument.of(this.keys.changes(cache))))
			.thenCompose((deleted) -> wake(keys).thenApply((done) -> deleted));
	}

	/**
	 * Evict an entry unless one with the same or a higher version was put. The version
	 * comes first: an older one that comes later must not be stored.
	 * @return false, since nothing is stored
	 */
	CompletableFuture<Boolean> evictIfNewer(String cache, EntryKeys keys, long version, long lifeMillis) {
		long millis = Math.max(lifeMillis, this.memory.toMillis());
		return step(keys.version(), "version", Argument.sortable(version), Argument.of(millis))
			.thenCompose((newer) -> newer ? evict(cache, keys, 0).thenApply((deleted) -> false)
					: CompletableFuture.completedFuture(false));
	}

	/** Give a lease back; whether it still stood. */
	CompletableFuture<Boolean> abandon(EntryKeys keys, String attempt) {
		return step(keys.lease(), "end", Argument.of(attempt))
			.thenCompose((ended) -> wake(keys).thenApply((done) -> ended));
	}

	private CompletableFuture<Boolean> wake(EntryKeys keys) {
		return step(keys.waiters(), "wake", Argument.of(this.keys.inboxPrefix()));
	}

	private CompletableFuture<Boolean> step(String key, String step, byte[]... arguments) {
		byte[][] all = new byte[arguments.length + 1][];
		all[0] = Argument.of(step);
		System.arraycopy(arguments, 0, all, 1, arguments.length);
		return this.calls.run(CacheScript.STEP, new String[] { key }, all);
	}

}
