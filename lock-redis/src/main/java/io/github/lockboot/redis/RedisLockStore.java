package io.github.lockboot.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockState;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.redis.connection.BackgroundConnection;
import io.github.lockboot.redis.connection.CommandNotSentException;
import io.github.lockboot.redis.connection.EvictionWarning;
import io.github.lockboot.redis.connection.LockConnector;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Refusals;

/**
 * Leases in Redis. Each lock has one string whose value is the owner, one string for the
 * highest fencing token, and a queue while there are waiters. Each call is one script and
 * one round trip; a handover is pushed to the channel of the new owner's JVM.
 * Thread-safe.
 */
@Internal
public final class RedisLockStore implements LockStore, LockAdministration, Extensions.Calls {

	/**
	 * How long a request waits for the next connection if the last one was just lost: a
	 * healthy server accepts it sooner, and a single attempt waits no longer.
	 */
	private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long RECONNECT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/** The same value as in constants.lua. */
	private static final long RESERVED_AHEAD_MILLIS = 1000;

	/** The reply of a release that has not reached the next waiter yet. */
	private static final long MORE_TO_DO = 3;

	/** The least value in the scripts for: one that waits polls, or did a moment ago. */
	private static final long POLLED = 2;

	/** The state of a lock that is shared, perhaps by its owner or by others only. */
	private static final long SHARED = -2;

	/** The value in the scripts for a waiter whose JVM is not notified. */
	private static final String POLLS = " polls";

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private static final Log logger = LogFactory.getLog(RedisLockStore.class);

	private final BackgroundConnection<String> connection;

	private final EvictionWarning evictions = new EvictionWarning((policy) -> true,
			"Redis may evict a lock that is held, and another caller then acquires that lock. Set 'maxmemory-policy"
					+ " noeviction', or give the locks a Redis of their own");

	private final MonotonicClock clock;

	private final RedisLockSettings settings;

	private final LockKeys keys;

	private final boolean retries;

	private final long timeoutNanos;

	private final int replicas;

	private final String instance;

	private final StoreTraits traits;

	private final PushSubscription subscription;

	private final Extensions extensions;

	/** Whether waiters queue; they do not where foreign clients compete for a lock. */
	private final boolean queues;

	/** Present once the server is connected and checked. */
	private volatile @Nullable RedisConnection<String> redis;

	private volatile boolean closed;

	/**
	 * Create a store that is not connected yet.
	 * @param server the server, as messages name it
	 * @param instance the name of this JVM there, as {@link LockStore#newInstance}
	 * returns it
	 * @param checkServer for one of several servers, on which nobody queues: called with
	 * the run id of the server, which is the same for every address until the server
	 * restarts, or with {@code null} if the user lacks the right to read the id; may
	 * throw an exception to refuse the server
	 */
	public RedisLockStore(String server, String instance, LockConnector application, MonotonicClock clock,
			RedisLockSettings settings, @Nullable Consumer<@Nullable String> checkServer) {
		this.retries = settings.startup() == RedisLockSettings.Startup.RETRY;
		this.connection = new BackgroundConnection<>(server, this.retries ? " (lock.redis.startup=retry)" : "",
				() -> StartupChecks.explained(() -> connect(application, checkServer)), (failure) -> {
				}, clock);
		this.instance = instance;
		this.clock = clock;
		this.settings = settings;
		this.keys = new LockKeys(settings.keyPrefix());
		this.timeoutNanos = settings.commandTimeout().toNanos();
		this.traits = traits(settings);
		this.replicas = settings.minReplicasAcknowledged();
		this.queues = !settings.foreignClients();
		this.subscription = new PushSubscription(this.connection, this.keys, instance, this.replicas == 0, clock,
				this.evictions::check);
		this.extensions = new Extensions(clock, this, this::mayCallTogether);
	}

	/** Return the traits. Foreign clients neither queue nor hand a lock over. */
	private static StoreTraits traits(RedisLockSettings settings) {
		boolean foreign = settings.foreignClients();
		return new StoreTraits(foreign ? "Redis with foreign clients" : "Redis", StoreTraits.Tokens.TIMES,
				foreign ? StoreTraits.Waiting.POLLING : StoreTraits.Waiting.GRANTS, StoreTraits.Leases.LOCK,
				StoreTraits.ALL_KINDS);
	}

	// ---- connecting

	/** Return the connection, so that a caller can begin it or wait for it. */
	public BackgroundConnection<String> connection() {
		return this.connection;
	}

	/**
	 * Wait for the first attempt. If a failed attempt is retried, only refused
	 * credentials are an error.
	 */
	void awaitConnected() {
		RuntimeException failure = this.connection.awaitFirstAttempt();
		if (failure != null) {
			if (Thread.currentThread().isInterrupted()) {
				throw new LockUnavailableException(null, String.valueOf(failure.getMessage()), failure);
			}
			if (!this.retries || Refusals.isOfCredentials(failure)) {
				throw failure;
			}
			logger.warn(failure.getMessage() + "; no lock can be acquired until " + this.connection
					+ " is connected. The connection is retried every second (lock.redis.startup=retry)");
		}
	}

	/** Connect, and check the server. */
	private RedisConnection<String> connect(LockConnector application,
			@Nullable Consumer<@Nullable String> checkServer) {
		RedisConnection<String> connection = application.connectForLocks(this.settings.lockDefaults().application(),
				this.settings.commandTimeout(), LockScripts.ALL);
		try {
			this.subscription.connected(StartupChecks.rights(connection, this.settings, checkServer == null));
			if (checkServer != null) {
				checkServer.accept(StartupChecks.runId(connection, this.settings));
			}
			this.evictions.check(connection);
			this.redis = connection;
			return connection;
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	@Override
	public StoreTraits traits() {
		return this.traits;
	}

	@Override
	public String instance() {
		return this.instance;
	}

	/** Begin to connect. A store that is connected opens the subscription at once. */
	@Override
	public void listen(LockPushes pushes) {
		this.subscription.listen(pushes);
		subscribe();
		this.connection.begin();
	}

	/**
	 * Open the connection for pushes, unless there is no other connection yet. This
	 * method blocks.
	 * @throws RedisException if the connection cannot be opened
	 */
	void subscribe() {
		RedisConnection<String> redis = this.redis;
		if (redis != null) {
			this.subscription.open(redis);
		}
	}

	// ---- calls

	private <T> CompletionStage<T> call(String lock,
			BiFunction<RedisConnection<String>, String[], CompletionStage<T>> call) {
		String[] keys = this.keys.of(lock);
		RedisConnection<String> redis = this.redis;
		return (redis != null) ? call.apply(redis, keys)
				: this.connection.connected().thenCompose((connected) -> call.apply(connected, keys));
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockAttempt attempt, long seenToken, Queueing queueing,
			long blockNanos) {
		return call(attempt.lock(), (redis, keys) -> {
			CompletionStage<AcquireReply> reply = acquire(redis, keys, attempt, seenToken, queueing);
			this.subscription.openInBackground(redis);
			return reply;
		});
	}

	private CompletionStage<AcquireReply> acquire(RedisConnection<String> redis, String[] keys, LockAttempt attempt,
			long seenToken, Queueing queueing) {
		boolean notified = isNotified(keys[0]);
		String[] arguments = { attempt.id(), Long.toString(attempt.leaseMillis()), Long.toString(seenToken),
				Integer.toString(attempt.permits()), channels(redis, keys), queuePosition(queueing, notified) };
		// the lock of an attempt that has waited is probably still busy
		boolean inBatch = attempt.permits() == 1 && !queueing.isAgain();
		CompletableFuture<AcquireReply> acquired = sent(redis, keys,
				() -> limited(inBatch ? redis.run(LockScripts.ACQUIRE_IN_BATCH, keys, arguments)
						: redis.run(LockScripts.ACQUIRE, keys, arguments), this.timeoutNanos),
				this.clock.nanoTime() + RECONNECT_NANOS)
			.thenApply((reply) -> acquired(attempt, reply, notified && isNotified(keys[0])));
		return (this.replicas == 0) ? acquired
				: limited(acquired.thenCompose((reply) -> confirmed(redis, keys, attempt, reply)), this.timeoutNanos);
	}

	/** Repeat a call while it cannot be sent for lack of a connection. */
	private CompletableFuture<List<Object>> sent(RedisConnection<String> redis, String[] keys,
			Supplier<CompletableFuture<List<Object>>> call, long untilNanos) {
		return call.get().exceptionallyCompose((failure) -> {
			long againNanos = this.clock.nanoTime() + RECONNECT_PAUSE_NANOS;
			if (!(StageFailure.cause(failure) instanceof CommandNotSentException) || againNanos - untilNanos > 0
					|| !redis.isReconnecting(keys[0], RECONNECT_NANOS) || this.closed) {
				return CompletableFuture.failedFuture(failure);
			}
			CompletableFuture<List<Object>> again = new CompletableFuture<>();
			this.clock.schedule(againNanos, () -> sent(redis, keys, call, untilNanos)
				.whenComplete((reply, last) -> StageFailure.pass(reply, last, again)));
			return again;
		});
	}

	/** Return the argument of the script for a place in the queue. */
	private String queuePosition(Queueing queueing, boolean notified) {
		if (!queueing.wanted() || !this.queues) {
			return "no";
		}
		if (!notified || queueing.isAgain()) {
			this.subscription.probe();
		}
		String position = queueing.isAgain() ? Long.toString(queueing.sinceMicros()) : "tail";
		return notified ? position : position + POLLS;
	}

	/** Return whether waiters for a lock queue, and grants would reach this JVM. */
	private boolean isNotified(String key) {
		return this.queues && this.subscription.isOpenFor(key);
	}

	private static AcquireReply acquired(LockAttempt attempt, List<Object> reply, boolean notified) {
		long first = number(reply, 0);
		// a lock that was free, according to the header of the script
		if (reply.size() == 1) {
			long aheadMillis = (attempt.permits() == 1) ? Math.min(attempt.leaseMillis(), RESERVED_AHEAD_MILLIS) : 0;
			return new AcquireReply.Owned(first, first + TimeUnit.MILLISECONDS.toMicros(aheadMillis),
					queued(0, notified));
		}
		return switch ((int) first) {
			case 1 -> new AcquireReply.Owned(number(reply, 1), number(reply, 2), queued(number(reply, 3), notified));
			case 2 -> queued(reply, 1, notified);
			default -> new AcquireReply.Busy(number(reply, 1));
		};
	}

	private static AcquireReply.Queued queued(List<Object> reply, int index, boolean notified) {
		return new AcquireReply.Queued(number(reply, index), number(reply, index + 1),
				!notified || number(reply, index + 2) == 1);
	}

	/**
	 * Return the number of waiters. A JVM that is not notified does not learn that
	 * another JVM queues.
	 */
	static long queued(long queued, boolean notified) {
		if (queued >= POLLED) {
			return POLLED_QUEUE;
		}
		return (queued == 0 && !notified) ? UNKNOWN_QUEUE : queued;
	}

	/**
	 * Wait until replicas have a lock that was just acquired: renew the lease and send
	 * {@code WAIT}. With too few replicas the caller stays the owner and retries; the
	 * engine releases the lock if the caller gives up.
	 */
	private CompletableFuture<AcquireReply> confirmed(RedisConnection<String> redis, String[] keys, LockAttempt attempt,
			AcquireReply reply) {
		if (!(reply instanceof AcquireReply.Owned)) {
			return CompletableFuture.completedFuture(reply);
		}
		return renewReplicated(redis, keys, attempt, true).handle((renewed, failure) -> {
			if (failure == null && number(renewed, 0) == 1) {
				return reply;
			}
			// not a RedisCommandExecutionException, because the lock had been
			// acquired
			Throwable cause = (failure != null) ? StageFailure.cause(failure)
					: new RedisException("the lock was lost meanwhile");
			throw new RedisException("The lock was not confirmed by as many replicas as"
					+ " lock.redis.min-replicas-acknowledged requires: " + cause.getMessage(), cause);
		});
	}

	private CompletableFuture<List<Object>> renewReplicated(RedisConnection<String> redis, String[] keys,
			LockAttempt attempt, boolean awaited) {
		return runReplicated(redis, LockScripts.RENEW, awaited, keys, renewal(attempt, 0));
	}

	private CompletableFuture<List<Object>> runReplicated(RedisConnection<String> redis, LuaScript script,
			boolean awaited, String[] keys, String... arguments) {
		return redis.runReplicated(script, awaited, keys, this.replicas,
				Math.max(1, TimeUnit.NANOSECONDS.toMillis(this.timeoutNanos) / 2), arguments);
	}

	@Override
	public CompletionStage<Map<LockAttempt, AcquireReply>> confirmQueued(String lock,
			Map<LockAttempt, Long> sinceMicros) {
		return call(lock, (redis, keys) -> {
			boolean notified = isNotified(keys[0]);
			List<String> arguments = new ArrayList<>();
			arguments.add(notified ? "" : POLLS);
			sinceMicros.forEach((attempt, since) -> Collections.addAll(arguments, attempt.id(),
					Integer.toString(attempt.permits()), since.toString()));
			return run(redis, LockScripts.KEEP_QUEUED, keys, arguments.toArray(String[]::new)).thenApply((reply) -> {
				AcquireReply queued = queued(reply, 0, notified && isNotified(keys[0]));
				Set<Object> holders = new HashSet<>(reply.subList(3, reply.size()));
				return sinceMicros.keySet()
					.stream()
					.filter((attempt) -> !holders.contains(attempt.id()))
					.collect(Collectors.toMap((attempt) -> attempt, (attempt) -> queued));
			});
		});
	}

	/**
	 * Renew a lease. Without the acknowledgement of the replicas that it needs, a renewal
	 * has failed although Redis keeps the lock: a promoted replica does not.
	 */
	@Override
	public CompletionStage<RenewReply> renew(LockAttempt attempt) {
		// not in a batch, where a renewal may take effect after a later one or a release
		return call(attempt.lock(), (redis, keys) -> {
			CompletableFuture<List<Object>> reply = (this.replicas == 0)
					? redis.run(LockScripts.RENEW, keys, renewal(attempt, 0))
					: renewReplicated(redis, keys, attempt, false);
			return limited(reply, renewalLimitNanos(attempt)).thenApply((renewed) -> {
				if (number(renewed, 0) == 1) {
					return new RenewReply.Renewed(number(renewed, 1), queued(number(renewed, 2), isNotified(keys[0])));
				}
				this.evictions.check(redis);
				return NOT_OWNER;
			});
		});
	}

	/** Return the time limit, which leaves time for another renewal. */
	private long renewalLimitNanos(LockAttempt attempt) {
		return Math.min(this.timeoutNanos, TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()) / 4);
	}

	@Override
	public CompletionStage<RenewReply> extend(LockAttempt attempt, boolean asks) {
		return (attempt.permits() == 1) ? this.extensions.add(attempt, asks && this.queues) : renew(attempt);
	}

	@Override
	public CompletionStage<List<Object>> extend(List<LockAttempt> attempts, boolean asks) {
		LockAttempt first = attempts.get(0);
		String[] keys = this.keys.toExtend(attempts, asks);
		String[] arguments = new String[2 * attempts.size()];
		for (int i = 0; i < attempts.size(); i++) {
			arguments[2 * i] = attempts.get(i).id();
			arguments[2 * i + 1] = Long.toString(attempts.get(i).leaseMillis());
		}
		return call(first.lock(),
				(redis, ofFirst) -> limited(
						(this.replicas == 0) ? redis.run(LockScripts.EXTEND, keys, arguments)
								: runReplicated(redis, LockScripts.EXTEND, false, keys, arguments),
						renewalLimitNanos(first)));
	}

	@Override
	public CompletionStage<RenewReply> extended(LockAttempt attempt, long state) {
		if (state == SHARED) {
			return renew(attempt);
		}
		if (state >= 0) {
			return CompletableFuture
				.completedStage(new RenewReply.Renewed(0, queued(state, isNotified(this.keys.first(attempt.lock())))));
		}
		RedisConnection<String> redis = this.redis;
		if (redis != null) {
			this.evictions.check(redis);
		}
		return CompletableFuture.completedStage(NOT_OWNER);
	}

	private boolean mayCallTogether() {
		RedisConnection<String> redis = this.redis;
		return redis != null && redis.isOneServer();
	}

	private static String[] renewal(LockAttempt attempt, long usedToken) {
		return new String[] { attempt.id(), Long.toString(attempt.leaseMillis()), Long.toString(usedToken) };
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken, long keptMillis) {
		if (keptMillis <= 0) {
			return release(attempt, usedToken);
		}
		return releaseLater(attempt.withLeaseMillis(keptMillis), usedToken)
			.thenCompose((reply) -> (reply != ReleaseReply.NOT_OWNER) ? CompletableFuture.completedStage(reply)
					: release(attempt, 0));
	}

	private CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken) {
		return call(attempt.lock(), (redis, keys) -> {
			String[] arguments = arguments(redis, keys, attempt, usedToken);
			return limited((attempt.permits() == 1) ? redis.run(LockScripts.RELEASE_IN_BATCH, keys, arguments)
					: redis.run(LockScripts.RELEASE, keys, arguments), this.timeoutNanos)
				.thenApply((reply) -> {
					handOver(redis, keys, attempt, number(reply, 0));
					return released(redis, number(reply, 0));
				});
		});
	}

	/**
	 * Continue a handover that has skipped the maximum number of expired waiters of one
	 * call. If this call fails, the waiters continue the handover when they retry.
	 */
	private void handOver(RedisConnection<String> redis, String[] keys, LockAttempt attempt, long reply) {
		if (reply == MORE_TO_DO) {
			run(redis, LockScripts.RELEASE, keys, arguments(redis, keys, attempt, 0))
				.thenAccept((next) -> handOver(redis, keys, attempt, number(next, 0)));
		}
	}

	private CompletionStage<ReleaseReply> releaseLater(LockAttempt attempt, long usedToken) {
		return call(attempt.lock(),
				(redis, keys) -> run(redis, LockScripts.RENEW, keys, attempt.id(), Long.toString(attempt.leaseMillis()),
						Long.toString(usedToken), channels(redis, keys))
					.thenApply((reply) -> released(redis, number(reply, 0))));
	}

	private ReleaseReply released(RedisConnection<String> redis, long reply) {
		if (reply == 0) {
			this.evictions.check(redis);
			return ReleaseReply.NOT_OWNER;
		}
		return ReleaseReply.RELEASED;
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt attempt, long usedToken) {
		return call(attempt.lock(),
				(redis, keys) -> run(redis, LockScripts.DOWNGRADE, keys, arguments(redis, keys, attempt, usedToken))
					.thenApply((reply) -> (number(reply, 0) == 1) ? new RenewReply.Renewed(usedToken, 0) : NOT_OWNER));
	}

	private String[] arguments(RedisConnection<String> redis, String[] keys, LockAttempt attempt, long usedToken) {
		return new String[] { attempt.id(), Long.toString(usedToken), Long.toString(attempt.leaseMillis()),
				channels(redis, keys) };
	}

	@Override
	public LockAdministration administration() {
		return this;
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		return call(lock, (redis, keys) -> run(redis, LockScripts.FORCE, keys, channels(redis, keys))
			.thenApply((reply) -> number(reply, 0) == 1));
	}

	@Override
	public CompletionStage<List<String>> list(String pattern, String after, int most) {
		return call(pattern, (redis, keys) -> limited(HeldLocks.names(redis, this.keys, pattern, after, most),
				HeldLocks.LIMIT_NANOS));
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return call(lock, (redis, keys) -> run(redis, LockScripts.INSPECT, keys)
			.thenApply((reply) -> InstanceKeys.state(lock, reply)));
	}

	@Override
	public Instances instances() {
		return new InstanceKeys(this.connection, this.keys, this.settings.commandTimeout(), this.clock);
	}

	/** A script that has failed with an error has not made its caller the owner. */
	@Override
	public FailedCall failureOf(Throwable failure) {
		return (failure instanceof RedisCommandExecutionException || failure instanceof CommandNotSentException)
				? FailedCall.REFUSED : FailedCall.UNKNOWN;
	}

	@Override
	public void callFailed(String lock) {
		RedisConnection<String> redis = this.redis;
		if (redis != null) {
			redis.callFailed(this.keys.of(lock)[0]);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.subscription.close();
		this.connection.close();
	}

	private String channels(RedisConnection<String> redis, String[] keys) {
		return redis.channels(this.keys.channelPrefix(), keys[0]);
	}

	private CompletableFuture<List<Object>> run(RedisConnection<String> redis, LuaScript script, String[] keys,
			String... arguments) {
		return limited(redis.run(script, keys, arguments), this.timeoutNanos);
	}

	private <T> CompletableFuture<T> limited(CompletableFuture<T> reply, long limitNanos) {
		return this.clock.limit(reply, limitNanos, () -> new RedisCommandTimeoutException(
				"Redis did not answer within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms"));
	}

	private static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

}
