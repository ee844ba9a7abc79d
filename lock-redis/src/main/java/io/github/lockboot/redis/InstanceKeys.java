package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.lettuce.core.RedisCommandTimeoutException;

import io.github.lockboot.LockState;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.support.LockHolders;
import io.github.lockboot.redis.connection.BackgroundConnection;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * Texts about JVMs in Redis: one key for each JVM that acquires locks. The value of a
 * lock has only room for the id of its owner, which begins with the name of the JVM.
 */
record InstanceKeys(BackgroundConnection<String> connection, LockKeys keys, Duration timeout,
		MonotonicClock clock) implements LockAdministration.Instances {

	@Override
	public CompletionStage<Void> write(String instance, String text, long lifeMillis) {
		return call((redis) -> redis.set(this.keys.instance(instance), text, lifeMillis)).thenAccept((reply) -> {
		});
	}

	@Override
	public CompletionStage<String> read(String instance) {
		return call((redis) -> {
			CompletableFuture<String> reply = new CompletableFuture<>();
			redis.get(this.keys.instance(instance),
					(text, failure) -> StageFailure.pass((text != null) ? text : "", failure, reply));
			return reply;
		});
	}

	private <T> CompletionStage<T> call(Function<RedisConnection<String>, CompletableFuture<T>> call) {
		return this.connection.connected()
			.thenCompose((redis) -> this.clock.limit(call.apply(redis), this.timeout.toNanos(),
					() -> new RedisCommandTimeoutException("Redis did not answer")));
	}

	/**
	 * Return the state of a lock as inspect.lua has read it, with the ids of its owners.
	 */
	static LockState state(String lock, List<Object> reply) {
		String owner = (String) reply.get(0);
		long pttl = (Long) reply.get(1);
		LockState state = new LockState(lock, owner.isEmpty() ? null : owner,
				(pttl >= 0) ? Duration.ofMillis(pttl) : null, (Long) reply.get(2), (Long) reply.get(4),
				(Long) reply.get(3));
		List<Object> owners = reply.subList(5, reply.size());
		return (owners.isEmpty() || state.holders() == 0) ? state
				: state.heldBy(owners.stream()
					.limit(LockHolders.MOST_SHOWN)
					.map((each) -> LockState.Holder.unknown((String) each))
					.toList());
	}

}
