package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.redis.connection.CommandNotSentException;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.EvictionWarning;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * Leases in Redis: one string per lock whose value is the owner, one for the highest
 * fencing token, and a queue while there are waiters. Each call is one script and one
 * round trip; a handover is pushed to the channel of the new owner's JVM.
 */
final class RedisLockStore implements LockStore {

	private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** As in constants.lua. */
	private static final long RESERVED_AHEAD_MILLIS = 1000;

	/** The reply of a release that has not reached the next waiter yet. */
	private static final long MORE_TO_DO = 3;

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private final RedisConnection<String> connection;

	private final EvictionWarning evictions;

	private final MonotonicClock clock;

	private final LockKeys keys;

	private final long timeoutNanos;

	private final int replicas;

	private final String instance;

	private final StoreTraits traits;

	/**
	 * Whether waiters queue and are notified, as far as the settings and rights permit.
	 */
	private final boolean queues;

	private volatile @Nullable Subscription subscription;

	private volatile long probedNanos;

	RedisLockStore(RedisConnection<String> connection, MonotonicClock clock, RedisLockSettings settings) {
		this(connection, clock, settings, LockStore.newInstance(), true);
	}

	private RedisLockStore(RedisConnection<String> connection, MonotonicClock clock, RedisLockSettings settings,
			String instance, boolean publishes) {
		this.instance = instance;
		this.connection = connection;
		this.clock = clock;
		this.keys = new LockKeys(settings.keyPrefix());
		this.timeoutNanos = settings.commandTimeout().toNanos();
		this.queues = publishes && !settings.foreignClients();
		this.traits = traits(settings);
		this.replicas = settings.minReplicasAcknowledged();
		this.probedNanos = clock.nanoTime();
		this.evictions = new EvictionWarning(connection::memoryInfo, (policy) -> true,
				"it may evict a lock that is held, which another caller acquires then. Set 'maxmemory-policy"
						+ " noeviction', or give the locks a Redis of their own");
		this.evictions.check();
	}

	/**
	 * Connects, and checks the server.
	 * @param checkServer for one server of several, on which nobody queues: called with
	 * its run id, if that is known; may throw to refuse the server
	 */
	static RedisLockStore connect(ConnectionSettings application, MonotonicClock clock, RedisLockSettings settings,
			String instance, @Nullable Consumer<@Nullable String> checkServer) {
		RedisConnection<String> connection = application.connectForLocks(settings.applicationName(),
				settings.commandTimeout(), LockScripts.ALL);
		try {
			boolean publishes = StartupChecks.rights(connection, settings, checkServer == null);
			if (checkServer != null) {
				checkServer.accept(StartupChecks.runId(connection, settings));
			}
			return new RedisLockStore(connection, clock, settings, instance, publishes);
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

	/** Foreign clients neither queue nor hand a lock over. */
	static StoreTraits traits(RedisLockSettings settings) {
		return new StoreTraits(settings.foreignClients() ? "Redis with foreign clients" : "Redis",
				StoreTraits.Memory.BEST_EFFORT, StoreTraits.Tokens.TIMES,
				settings.foreignClients() ? StoreTraits.Waiting.POLLING : StoreTraits.Waiting.GRANTS,
				StoreTraits.Leases.LOCK, StoreTraits.ALL_KINDS);
	}

	@Override
	public String instance() {
		return this.instance;
	}

	@Override
	public void listen(LockPushes pushes) {
		// a channel may reopen on another server, with another eviction policy
		this.subscription = this.connection.subscribe(this.keys.channelPrefix(), this.instance,
				new PushMessages(this.keys, pushes, this.replicas == 0, this.evictions::check));
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockOwner owner, long seenToken, Queueing queueing) {
		String[] keys = this.keys.of(owner.lock());
		boolean notified = isNotified(keys);
		String[] arguments = { owner.id(), Long.toString(owner.leaseMillis()), Long.toString(seenToken),
				Integer.toString(owner.permits()), channels(keys), queuePosition(queueing, notified) };
		// the lock of an attempt that has waited is probably still busy
		boolean inBatch = owner.permits() == 1 && !queueing.isAgain();
		CompletableFuture<AcquireReply> acquired = (inBatch
				? limited(this.connection.run(LockScripts.ACQUIRE_IN_BATCH, keys, arguments), this.timeoutNanos)
				: run(LockScripts.ACQUIRE, keys, this.timeoutNanos, arguments))
			.thenApply((reply) -> acquired(owner, reply, notified))
			.thenCompose((
					reply) -> (reply instanceof AcquireReply.Busy && queueing.wanted() && !notified && isNotified(keys))
							? acquire(owner, seenToken, queueing) : CompletableFuture.completedStage(reply));
		return (this.replicas == 0) ? acquired
				: limited(acquired.thenCompose((reply) -> confirmed(owner, reply)), this.timeoutNanos);
	}

	/**
	 * Returns the argument of the script. Without a subscription a grant would be lost,
	 * so the caller does not queue.
	 */
	private String queuePosition(Queueing queueing, boolean notified) {
		Subscription subscription = this.subscription;
		if (!queueing.wanted() || !this.queues || subscription == null) {
			return "no";
		}
		if (!notified || queueing.isAgain()) {
			probe(subscription);
		}
		return !notified ? "no" : queueing.isAgain() ? Long.toString(queueing.sinceMicros()) : "tail";
	}

	/** Whether waiters for a lock queue, and grants would reach this JVM. */
	private boolean isNotified(String[] keys) {
		Subscription subscription = this.subscription;
		return this.queues && subscription != null && subscription.isOpenFor(keys[0]);
	}

	/** A long wait may have its reason in a connection that receives nothing any more. */
	private void probe(Subscription subscription) {
		long now = this.clock.nanoTime();
		if (now - this.probedNanos >= PROBE_NANOS) {
			this.probedNanos = now;
			subscription.probe();
		}
	}

	private static AcquireReply acquired(LockOwner owner, List<Object> reply, boolean notified) {
		long first = number(reply, 0);
		// a lock that was free, according to the header of the script
		if (reply.size() == 1) {
			long aheadMillis = (owner.permits() == 1) ? Math.min(owner.leaseMillis(), RESERVED_AHEAD_MILLIS) : 0;
			return new AcquireReply.Owned(first, first + TimeUnit.MILLISECONDS.toMicros(aheadMillis),
					queued(0, notified));
		}
		return switch ((int) first) {
			case 1 -> new AcquireReply.Owned(number(reply, 1), number(reply, 2), queued(number(reply, 3), notified));
			case 2 -> queued(reply, 1);
			default -> new AcquireReply.Busy(number(reply, 1));
		};
	}

	private static AcquireReply.Queued queued(List<Object> reply, int index) {
		return new AcquireReply.Queued(number(reply, index), number(reply, index + 1), number(reply, index + 2) == 1);
	}

	/** Waiters that poll are unknown. */
	private static long queued(long queued, boolean notified) {
		return (queued == 0 && !notified) ? UNKNOWN_QUEUE : queued;
	}

	/**
	 * Waits until replicas have a lock that was just acquired: renews it and sends
	 * {@code WAIT}. With too few replicas the caller stays the owner and retries; the
	 * engine releases the lock if the caller gives up.
	 */
	private CompletableFuture<AcquireReply> confirmed(LockOwner owner, AcquireReply reply) {
		if (!(reply instanceof AcquireReply.Owned)) {
			return CompletableFuture.completedFuture(reply);
		}
		long limitMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(this.timeoutNanos) / 2);
		return this.connection
			.runReplicated(LockScripts.RENEW, this.keys.of(owner.lock()), this.replicas, limitMillis, renewal(owner, 0))
			.handle((renewed, failure) -> {
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

	/** Without a subscription a grant would be lost, so nobody queues. */
	@Override
	public CompletionStage<Map<LockOwner, AcquireReply>> keepQueued(String lock, Map<LockOwner, Long> sinceMicros) {
		String[] keys = this.keys.of(lock);
		if (!isNotified(keys)) {
			return CompletableFuture.completedStage(toEach(sinceMicros.keySet(), new AcquireReply.Busy(-1)));
		}
		List<String> arguments = new ArrayList<>();
		sinceMicros.forEach((owner, since) -> Collections.addAll(arguments, owner.id(),
				Integer.toString(owner.permits()), since.toString()));
		return run(LockScripts.KEEP_QUEUED, keys, this.timeoutNanos, arguments.toArray(String[]::new))
			.thenApply((reply) -> {
				Map<LockOwner, AcquireReply> replies = toEach(sinceMicros.keySet(), queued(reply, 0));
				Set<Object> holders = new HashSet<>(reply.subList(3, reply.size()));
				replies.keySet().removeIf((owner) -> holders.contains(owner.id()));
				return replies;
			});
	}

	private static Map<LockOwner, AcquireReply> toEach(Collection<LockOwner> owners, AcquireReply reply) {
		return owners.stream().collect(Collectors.toMap((owner) -> owner, (owner) -> reply));
	}

	@Override
	public CompletionStage<RenewReply> renew(LockOwner owner) {
		// leaves time for another attempt before the lease expires
		long quarterOfLease = TimeUnit.MILLISECONDS.toNanos(owner.leaseMillis()) / 4;
		String[] keys = this.keys.of(owner.lock());
		return run(LockScripts.RENEW, keys, Math.min(this.timeoutNanos, quarterOfLease), renewal(owner, 0))
			.thenApply((reply) -> {
				if (number(reply, 0) == 1) {
					return new RenewReply.Renewed(number(reply, 1), queued(number(reply, 2), isNotified(keys)));
				}
				this.evictions.check();
				return NOT_OWNER;
			});
	}

	private static String[] renewal(LockOwner owner, long usedToken) {
		return new String[] { owner.id(), Long.toString(owner.leaseMillis()), Long.toString(usedToken) };
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockOwner owner, long usedToken) {
		String[] keys = this.keys.of(owner.lock());
		CompletableFuture<List<Object>> reply = (owner.permits() == 1)
				? this.connection.run(LockScripts.RELEASE_IN_BATCH, keys, arguments(owner, usedToken, keys))
				: this.connection.run(LockScripts.RELEASE, keys, arguments(owner, usedToken, keys));
		return limited(reply, this.timeoutNanos).thenApply((released) -> {
			handOver(owner, number(released, 0));
			return released(number(released, 0));
		});
	}

	/**
	 * Continues a handover that has skipped as many expired waiters as one call may. If
	 * this fails, the waiters continue when they retry.
	 */
	private void handOver(LockOwner owner, long reply) {
		if (reply == MORE_TO_DO) {
			runWithChannels(LockScripts.RELEASE, owner, 0).thenAccept((next) -> handOver(owner, next));
		}
	}

	@Override
	public CompletionStage<ReleaseReply> releaseLater(LockOwner owner, long usedToken) {
		return run(LockScripts.RENEW, this.keys.of(owner.lock()), this.timeoutNanos, renewal(owner, usedToken))
			.thenApply((reply) -> released(number(reply, 0)));
	}

	private ReleaseReply released(long reply) {
		if (reply == 0) {
			this.evictions.check();
			return ReleaseReply.NOT_OWNER;
		}
		return ReleaseReply.RELEASED;
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockOwner owner, long usedToken) {
		return runWithChannels(LockScripts.DOWNGRADE, owner, usedToken)
			.thenApply((reply) -> (reply == 1) ? new RenewReply.Renewed(usedToken, 0) : NOT_OWNER);
	}

	private CompletableFuture<Long> runWithChannels(LuaScript script, LockOwner owner, long usedToken) {
		String[] keys = this.keys.of(owner.lock());
		return run(script, keys, this.timeoutNanos, arguments(owner, usedToken, keys))
			.thenApply((reply) -> number(reply, 0));
	}

	private String[] arguments(LockOwner owner, long usedToken, String[] keys) {
		return new String[] { owner.id(), Long.toString(usedToken), Long.toString(owner.leaseMillis()),
				channels(keys) };
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		String[] keys = this.keys.of(lock);
		return run(LockScripts.FORCE, keys, this.timeoutNanos, channels(keys))
			.thenApply((reply) -> number(reply, 0) == 1);
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return run(LockScripts.INSPECT, this.keys.of(lock), this.timeoutNanos).thenApply((reply) -> {
			String owner = (String) reply.get(0);
			long pttl = number(reply, 1);
			return new LockState(lock, owner.isEmpty() ? null : owner, (pttl >= 0) ? Duration.ofMillis(pttl) : null,
					number(reply, 2), number(reply, 4), number(reply, 3));
		});
	}

	/** A script that ends with an error has not made its caller the owner. */
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

	private String channels(String[] keys) {
		return this.connection.channels(this.keys.channelPrefix(), keys[0]);
	}

	private CompletableFuture<List<Object>> run(LuaScript script, String[] keys, long limitNanos, String... arguments) {
		return limited(this.connection.run(script, keys, arguments), limitNanos);
	}

	private <T> CompletableFuture<T> limited(CompletableFuture<T> reply, long limitNanos) {
		return LockStore.limited(reply, this.clock, limitNanos, () -> new RedisCommandTimeoutException(
				"Redis did not answer within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms"));
	}

	private static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

}
