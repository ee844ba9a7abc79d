package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisCommandTimeoutException;

import io.github.lockboot.engine.AcquireReply;
import io.github.lockboot.engine.Attempt;
import io.github.lockboot.engine.LockClock;
import io.github.lockboot.engine.LockStore;
import io.github.lockboot.engine.ReleaseReply;
import io.github.lockboot.engine.RenewReply;
import io.github.lockboot.redis.transport.LuaScript;
import io.github.lockboot.redis.transport.RedisTransport;

/**
 * Leases in Redis: one string per lock whose value is the owner, and one for the highest
 * fencing token given out. Each call is one script and one round trip.
 */
final class RedisLockStore implements LockStore {

	/**
	 * A token is remembered this long after its lease; the time of Redis covers the rest.
	 */
	private static final Duration FENCING_MEMORY = Duration.ofMinutes(10);

	private static final String MEMORY_MILLIS = Long.toString(FENCING_MEMORY.toMillis());

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private final RedisTransport transport;

	private final LockClock clock;

	private final String keyPrefix;

	private final Duration commandTimeout;

	RedisLockStore(RedisTransport transport, LockClock clock, String keyPrefix, Duration commandTimeout) {
		this.transport = transport;
		this.clock = clock;
		this.keyPrefix = keyPrefix;
		this.commandTimeout = commandTimeout;
	}

	@Override
	public CompletionStage<AcquireReply> acquire(Attempt attempt, long seenToken) {
		return run(LockScript.ACQUIRE, attempt, this.commandTimeout.toNanos(), attempt.owner(),
				Long.toString(attempt.leaseMillis()), Long.toString(seenToken), MEMORY_MILLIS)
			.thenApply((reply) -> (number(reply, 0) == 1) ? new AcquireReply.Owned(number(reply, 1), number(reply, 2))
					: new AcquireReply.Busy(number(reply, 1)));
	}

	@Override
	public CompletionStage<RenewReply> renew(Attempt attempt) {
		// there must be time for another try before the lease is over
		long quarterOfLease = TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()) / 4;
		long limitNanos = Math.min(this.commandTimeout.toNanos(), quarterOfLease);
		return run(LockScript.RENEW, attempt, limitNanos, attempt.owner(), Long.toString(attempt.leaseMillis()),
				MEMORY_MILLIS)
			.thenApply((reply) -> (number(reply, 0) == 1) ? new RenewReply.Renewed(number(reply, 1)) : NOT_OWNER);
	}

	@Override
	public CompletionStage<ReleaseReply> release(Attempt attempt, long usedToken) {
		return run(LockScript.RELEASE, attempt, this.commandTimeout.toNanos(), attempt.owner(),
				Long.toString(attempt.leaseMillis()), Long.toString(usedToken), MEMORY_MILLIS)
			.thenApply((reply) -> (number(reply, 0) == 1) ? ReleaseReply.RELEASED : ReleaseReply.NOT_OWNER);
	}

	@Override
	public void close() {
		this.transport.close();
	}

	private CompletableFuture<List<Object>> run(LockScript script, Attempt attempt, long limitNanos,
			String... arguments) {
		LuaScript lua = script.script();
		CompletableFuture<List<Object>> reply = this.transport.run(lua, LockKeys.of(this.keyPrefix, attempt.lock()),
				arguments);
		LockClock.Timer limit = this.clock.schedule(this.clock.nanoTime() + limitNanos,
				() -> reply.completeExceptionally(new RedisCommandTimeoutException(
						"Redis did not answer within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms")));
		reply.whenComplete((result, failure) -> limit.cancel());
		return reply;
	}

	private static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

}
