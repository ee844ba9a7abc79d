package io.github.lockboot.redis;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockState;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.redis.connection.CommandNotSentException;
import io.github.lockboot.redis.connection.EvictionWarning;
import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * Leases in Redis: one string per lock whose value is the owner, one for the highest
 * fencing token given out, and a queue while somebody waits. Each call is one script and
 * one round trip; a lock that is handed over is pushed to the inbox of its new owner.
 */
final class RedisLockStore implements LockStore {

	private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** As in times.lua. */
	private static final long RESERVED_AHEAD_MILLIS = 1000;

	/** What a release says that could not find the next waiter at once. */
	private static final long MORE_WAIT = 3;

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private final RedisConnection<String> connection;

	private final EvictionWarning evictions;

	private final MonotonicClock clock;

	private final LockKeys keys;

	private final Duration commandTimeout;

	private final boolean foreignClients;

	private final int replicas;

	private final String instance;

	/** Whether the user of Redis may push to those who wait. */
	private final boolean publishes;

	private volatile @Nullable Subscription subscription;

	private volatile long probedNanos;

	RedisLockStore(RedisConnection<String> connection, MonotonicClock clock, RedisLockSettings settings) {
		this(connection, clock, settings, newInstance(), true);
	}

	RedisLockStore(RedisConnection<String> connection, MonotonicClock clock, RedisLockSettings settings,
			String instance, boolean publishes) {
		this.instance = instance;
		this.publishes = publishes;
		this.connection = connection;
		this.clock = clock;
		this.keys = new LockKeys(settings.keyPrefix());
		this.commandTimeout = settings.commandTimeout();
		this.foreignClients = settings.foreignClients();
		this.replicas = settings.minReplicasAcknowledged();
		this.probedNanos = clock.nanoTime();
		this.evictions = new EvictionWarning(connection::memoryInfo, (policy) -> true,
				"it may evict a lock that is held, and another caller gets it too. Set 'maxmemory-policy noeviction',"
						+ " or give the locks a Redis of their own");
		this.evictions.look();
	}

	/** Returns a name for this JVM that no other has. */
	static String newInstance() {
		return HexFormat.of().toHexDigits(new SecureRandom().nextLong());
	}

	@Override
	public String instance() {
		return this.instance;
	}

	@Override
	public void listen(LockPushes pushes) {
		LockPushes told = (this.replicas > 0) ? new UnconfirmedPushes(pushes) : pushes;
		this.subscription = this.connection.subscribe(this.keys.channelPrefix(), this.instance,
				new PushMessages(this.keys, told, this.evictions::look)); // perhaps
																			// another
																			// server
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockOwner attempt, long seenToken, Queueing queueing) {
		String[] keys = this.keys.of(attempt.lock());
		boolean told = isToldOfWaiters(keys);
		String[] arguments = { attempt.id(), Long.toString(attempt.leaseMillis()), Long.toString(seenToken),
				Integer.toString(attempt.permits()), channels(keys), place(queueing, told) };
		CompletableFuture<AcquireReply> acquired = run(LockScript.ACQUIRE, keys, this.commandTimeout.toNanos(),
				arguments)
			.thenApply((reply) -> acquired(attempt, reply, told))
			.thenCompose((reply) -> (reply instanceof AcquireReply.Busy && queueing.wanted() && !told
					&& isToldOfWaiters(keys)) ? acquire(attempt, seenToken, queueing)
							: CompletableFuture.completedStage(reply));
		return (this.replicas == 0) ? acquired
				: limited(acquired.thenCompose((reply) -> confirmed(attempt, reply)), this.commandTimeout.toNanos());
	}

	/** Without a subscription nobody could be told of a grant. */
	@Override
	public CompletionStage<Map<LockOwner, AcquireReply>> keepQueued(String lock, Map<LockOwner, Long> sinceMicros) {
		String[] keys = this.keys.of(lock);
		if (!isToldOfWaiters(keys)) {
			return CompletableFuture.completedStage(toEach(sinceMicros.keySet(), new AcquireReply.Busy(-1)));
		}
		List<String> arguments = new ArrayList<>();
		sinceMicros.forEach((attempt, since) -> Collections.addAll(arguments, attempt.id(),
				Integer.toString(attempt.permits()), since.toString()));
		return run(LockScript.KEEP_QUEUED, keys, this.commandTimeout.toNanos(), arguments.toArray(String[]::new))
			.thenApply((reply) -> {
				Map<LockOwner, AcquireReply> replies = toEach(sinceMicros.keySet(), queued(reply, 0));
				Set<Object> owners = new HashSet<>(reply.subList(3, reply.size()));
				replies.keySet().removeIf((attempt) -> owners.contains(attempt.id()));
				return replies;
			});
	}

	private static Map<LockOwner, AcquireReply> toEach(Collection<LockOwner> attempts, AcquireReply reply) {
		return attempts.stream().collect(Collectors.toMap((attempt) -> attempt, (attempt) -> reply));
	}

	@Override
	public CompletionStage<RenewReply> renew(LockOwner attempt) {
		// there must be time for another try before the lease is over
		long quarterOfLease = TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()) / 4;
		long limitNanos = Math.min(this.commandTimeout.toNanos(), quarterOfLease);
		String[] keys = this.keys.of(attempt.lock());
		return run(LockScript.RENEW, keys, limitNanos, renewal(attempt, 0)).thenApply((reply) -> (number(reply, 0) == 1)
				? new RenewReply.Renewed(number(reply, 1), waiting(number(reply, 2), isToldOfWaiters(keys))) : lost());
	}

	/** Perhaps it was evicted. */
	private RenewReply lost() {
		this.evictions.look();
		return NOT_OWNER;
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockOwner attempt, long usedToken) {
		return releaseOnce(attempt, usedToken).thenApply((answer) -> {
			handOn(attempt, answer);
			return released(answer);
		});
	}

	private CompletableFuture<Long> releaseOnce(LockOwner attempt, long usedToken) {
		String[] keys = this.keys.of(attempt.lock());
		return run(LockScript.RELEASE, keys, this.commandTimeout.toNanos(), arguments(attempt, usedToken, keys))
			.thenApply((reply) -> number(reply, 0));
	}

	/**
	 * Go on looking for the next waiter where so many dead ones came before it that one
	 * call was not enough. If this fails, those who wait go on when they ask again.
	 */
	private void handOn(LockOwner attempt, long answer) {
		if (answer == MORE_WAIT) {
			releaseOnce(attempt, 0).thenAccept((next) -> handOn(attempt, next));
		}
	}

	@Override
	public CompletionStage<ReleaseReply> releaseLater(LockOwner attempt, long usedToken) {
		return run(LockScript.RENEW, this.keys.of(attempt.lock()), this.commandTimeout.toNanos(),
				renewal(attempt, usedToken))
			.thenApply((reply) -> released(number(reply, 0)));
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockOwner attempt, long usedToken) {
		String[] keys = this.keys.of(attempt.lock());
		return run(LockScript.DOWNGRADE, keys, this.commandTimeout.toNanos(), arguments(attempt, usedToken, keys))
			.thenApply((reply) -> (number(reply, 0) == 1) ? new RenewReply.Renewed(usedToken, 0) : NOT_OWNER);
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		String[] keys = this.keys.of(lock);
		return run(LockScript.FORCE, keys, this.commandTimeout.toNanos(), channels(keys))
			.thenApply((reply) -> number(reply, 0) == 1);
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return run(LockScript.INSPECT, this.keys.of(lock), this.commandTimeout.toNanos()).thenApply((reply) -> {
			String owner = (String) reply.get(0);
			long pttl = number(reply, 1);
			return new LockState(lock, owner.isEmpty() ? null : owner, (pttl >= 0) ? Duration.ofMillis(pttl) : null,
					number(reply, 2), number(reply, 4), number(reply, 3));
		});
	}

	/**
	 * No script that ends with an error has made its caller the owner, and none that was
	 * not sent.
	 */
	@Override
	public boolean isRefusal(Throwable failure) {
		return failure instanceof RedisCommandExecutionException || failure instanceof CommandNotSentException;
	}

	@Override
	public void close() {
		if (this.subscription != null) {
			this.subscription.close();
		}
		this.connection.close();
	}

	/**
	 * Without a subscription nobody could be told of a grant, and nobody where Redis
	 * refuses pushes. Where programs compete that do not queue, nobody does.
	 */
	private String place(Queueing queueing, boolean told) {
		Subscription subscription = this.subscription;
		if (!queueing.wanted() || this.foreignClients || !this.publishes || subscription == null) {
			return "no";
		}
		if (!told || queueing.isAgain()) {
			probe(subscription);
		}
		return !told ? "no" : queueing.isAgain() ? Long.toString(queueing.sinceMicros()) : "tail";
	}

	/** Whether those who wait for a lock queue, and this JVM would be told of them. */
	private boolean isToldOfWaiters(String[] keys) {
		Subscription subscription = this.subscription;
		return this.publishes && !this.foreignClients && subscription != null && subscription.isOpenFor(keys[0]);
	}

	/** Somebody has waited for long: is it because nothing arrives any more? */
	private void probe(Subscription subscription) {
		long now = this.clock.nanoTime();
		if (now - this.probedNanos >= PROBE_NANOS) {
			this.probedNanos = now;
			subscription.probe();
		}
	}

	private AcquireReply acquired(LockOwner attempt, List<Object> reply, boolean told) {
		if (reply.size() == 1) {
			return acquiredFree(attempt, number(reply, 0), told);
		}
		return switch ((int) number(reply, 0)) {
			case 1 -> new AcquireReply.Owned(number(reply, 1), number(reply, 2), waiting(number(reply, 3), told));
			case 2 -> queued(reply, 1);
			default -> new AcquireReply.Busy(number(reply, 1));
		};
	}

	private static AcquireReply.Queued queued(List<Object> reply, int index) {
		return new AcquireReply.Queued(number(reply, index), number(reply, index + 1), number(reply, index + 2) == 1);
	}

	/** Of a lock that was free the script tells the token only, as its header says. */
	private AcquireReply acquiredFree(LockOwner attempt, long token, boolean told) {
		long aheadMillis = (attempt.permits() == 1) ? Math.min(attempt.leaseMillis(), RESERVED_AHEAD_MILLIS) : 0;
		long reserved = token + TimeUnit.MILLISECONDS.toMicros(aheadMillis);
		return new AcquireReply.Owned(token, reserved, waiting(0, told));
	}

	private ReleaseReply released(long answer) {
		if (answer == 0) {
			this.evictions.look(); // perhaps it was evicted
			return ReleaseReply.NOT_OWNER;
		}
		return ReleaseReply.RELEASED;
	}

	/** Of those who do not queue it is not known whether they wait: they may. */
	private static long waiting(long queued, boolean told) {
		return (queued == 0 && !told) ? UNKNOWN_QUEUE : queued;
	}

	/**
	 * Wait until replicas have a lock that was just taken: its renewal is run with
	 * {@code WAIT} behind it. With too few replicas the attempt stays the owner and asks
	 * again; the engine releases it when its caller gives up.
	 */
	private CompletableFuture<AcquireReply> confirmed(LockOwner attempt, AcquireReply reply) {
		if (!(reply instanceof AcquireReply.Owned)) {
			return CompletableFuture.completedFuture(reply);
		}
		long limitMillis = Math.max(1, this.commandTimeout.toMillis() / 2);
		return this.connection
			.runReplicated(LockScript.RENEW.script(), this.keys.of(attempt.lock()), this.replicas, limitMillis,
					renewal(attempt, 0))
			.thenApply((renewed) -> {
				if (number(renewed, 0) == 1) {
					return reply;
				}
				throw new RedisException("the lock was lost meanwhile");
			})
			.exceptionallyCompose(RedisLockStore::notConfirmed);
	}

	/** Never a refusal: the lock had been taken. */
	private static CompletableFuture<AcquireReply> notConfirmed(Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		return CompletableFuture.failedFuture(new RedisException("The lock was not confirmed by as many replicas as"
				+ " lock.redis.min-replicas-acknowledged wants: " + cause.getMessage(), cause));
	}

	private String[] arguments(LockOwner attempt, long usedToken, String[] keys) {
		return new String[] { attempt.id(), Long.toString(attempt.leaseMillis()), Long.toString(usedToken),
				channels(keys) };
	}

	private static String[] renewal(LockOwner attempt, long usedToken) {
		return new String[] { attempt.id(), Long.toString(attempt.leaseMillis()), Long.toString(usedToken) };
	}

	private String channels(String[] keys) {
		return this.connection.channels(this.keys.channelPrefix(), keys[0]);
	}

	private CompletableFuture<List<Object>> run(LockScript script, String[] keys, long limitNanos,
			String... arguments) {
		return limited(this.connection.run(script.script(), keys, arguments), limitNanos);
	}

	private <T> CompletableFuture<T> limited(CompletableFuture<T> reply, long limitNanos) {
		MonotonicClock.Timer limit = this.clock.schedule(this.clock.nanoTime() + limitNanos,
				() -> reply.completeExceptionally(new RedisCommandTimeoutException(
						"Redis did not answer within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms")));
		reply.whenComplete((result, failure) -> limit.cancel());
		return reply;
	}

	private static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

}
