package io.github.lockboot.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.lettuce.core.RedisCommandExecutionException;

import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * Finds the names of held locks among all keys of the servers, because there is no index.
 */
final class HeldLocks {

	/** How long a list may take; a server visits a million keys in about two seconds. */
	static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final long MOST_KEYS = 1_000_000;

	private HeldLocks() {
	}

	/**
	 * Return the names for {@link LockStore#list}. The search ends if the caller
	 * completes the reply.
	 */
	static CompletableFuture<List<String>> names(RedisConnection<String> redis, LockKeys keys, String pattern,
			String after, int most) {
		CompletableFuture<List<String>> reply = new CompletableFuture<>();
		AtomicReference<List<String>> names = new AtomicReference<>(List.of());
		redis.countKeys().thenCompose((count) -> {
			requireFew(count);
			return redis.scan(keys.glob(pattern), (found) -> {
				names.updateAndGet((first) -> LockAdministration
					.first(Stream.concat(first.stream(), found.stream().map(keys::lock)), pattern, after, most));
				return !reply.isDone();
			});
		})
			.thenApply((done) -> names.get())
			.whenComplete((found, failure) -> StageFailure.pass(found,
					(failure != null) ? explained(StageFailure.cause(failure)) : null, reply));
		return reply;
	}

	private static void requireFew(long keys) {
		if (keys > MOST_KEYS) {
			throw new UnsupportedOperationException("Redis has " + keys + " keys, and a list of locks would visit all"
					+ " of them, but may visit only " + MOST_KEYS + ". Look at one lock by its name, without '*',"
					+ " or give the locks a Redis or a database (spring.data.redis.database) of their own");
		}
	}

	private static Throwable explained(Throwable failure) {
		return (failure instanceof RedisCommandExecutionException refusal
				&& String.valueOf(refusal.getMessage()).startsWith("NOPERM"))
						? new RedisCommandExecutionException(
								refusal.getMessage() + "; a list of locks needs the rights '+scan +dbsize'", refusal)
						: failure;
	}

}
