package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisLoadingException;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import reactor.core.scheduler.NonBlocking;

import io.github.lockboot.Internal;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.RedisCommands.CacheScript;
import io.github.lockboot.cache.protocol.RedisCommands.Resend;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.redis.connection.EvictionWarning;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * Stores the entries of the cache in Redis. Each call sends one command before it
 * returns; a hit is a plain {@code GET}. A lost connection, a slow server and an open
 * breaker look the same to callers: the reply fails within a bounded time. Replies are
 * completed on a thread that must not be blocked. Thread-safe.
 */
@Internal
public class CacheStore implements AutoCloseable {

	/** How much longer the first replies may take, while the store connects. */
	public static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);

	/** How many keys are sent at once, so that all replies arrive in time. */
	public static final int MAX_BATCH = 500;

	/** How often the subscription is probed while callers or local copies need it. */
	private static final Duration PROBE_PAUSE = Duration.ofSeconds(5);

	/** Several, since the first replies of a connection are slow. */
	private static final int FIRST_SAMPLES = 3;

	/** Up to this length an entry is pushed to the callers that wait for its load. */
	private static final int LONGEST_PUSHED = 4096;

	private static final Log logger = LogFactory.getLog(CacheStore.class);

	private static final byte[] NOTHING = new byte[0];

	private static final String EVICTS = "it may evict the lease of a load of the cache, so that several callers load,"
			+ " and the time of an evict, so that an older transaction stores an old value. Set"
			+ " 'maxmemory-policy allkeys-lru', or 'noeviction' where locks are in the same Redis";

	private final Function<Collection<LuaScript>, RedisConnection<byte[]>> connector;

	private final CacheKeys keys;

	private final RedisCommands commands;

	private final Duration replyTimeout;

	/** How long the time of an evict is kept. */
	private final long memoryMillis;

	/** Channels of changes by cache, since each hit of a local copy needs one. */
	private final Map<String, String> changeChannels = new ConcurrentHashMap<>();

	private volatile @Nullable Subscription subscription;

	private final MonotonicClock clock;

	private volatile long probedNanos;

	private final String instance;

	private final AtomicLong attempts = new AtomicLong();

	/**
	 * Create a store, without connecting.
	 * @param connector connects for some scripts, and blocks meanwhile
	 * @param instance letters and digits that no other JVM has
	 * @param memory how long the time of an evict is kept
	 */
	public CacheStore(Function<Collection<LuaScript>, RedisConnection<byte[]>> connector, String instance,
			CacheKeys keys, Duration commandTimeout, Duration memory, MonotonicClock clock) {
		this.connector = connector;
		this.instance = instance;
		this.keys = keys;
		this.commands = new RedisCommands(this::newConnection, commandTimeout, memory, clock);
		// no step has more than three commands one after the other
		this.replyTimeout = commandTimeout.multipliedBy(3);
		this.memoryMillis = memory.toMillis();
		this.clock = clock;
		this.probedNanos = clock.nanoTime();
		clock.onSuspended(this::suspended);
	}

	/** The copies, the epochs and the time are older than the clock shows. */
	private void suspended() {
		if (this.subscription != null) {
			this.commands.forgetTime();
			this.commands.pushes().missed(true);
		}
	}

	private RedisConnection<byte[]> newConnection() {
		RedisConnection<byte[]> redis = this.connector.apply(CacheScript.all());
		try {
			Subscription subscription = redis
				.subscribe(new CacheMessages(inbox(), this.keys.clears(), this.commands.pushes()));
			subscription.add(inbox());
			subscription.add(this.keys.clears());
			this.subscription = subscription;
			this.commands.sampleTime(redis, FIRST_SAMPLES);
			// LRU and LFU evict leases last, which were just used
			new EvictionWarning((policy) -> policy.endsWith("-ttl") || policy.endsWith("-random"), EVICTS).check(redis);
			probeForCopies();
			return redis;
		}
		catch (RuntimeException ex) {
			redis.close();
			throw ex;
		}
	}

	/** Connect in the background, unless that was tried before. */
	public void connect() {
		this.commands.connect();
	}

	/** Return how long the replies to the commands of one step take at most. */
	public Duration replyTimeout() {
		return this.replyTimeout;
	}

	/**
	 * Check that the current thread may wait for a reply that its caller needs.
	 * @throws IllegalStateException if the thread must not block
	 */
	public void checkMayWait() {
		Assert.state(mayWait(), () -> "The thread '" + Thread.currentThread().getName()
				+ "' must not block, but would wait for Redis: change the cache on another thread");
	}

	private static boolean mayWait() {
		return !(Thread.currentThread() instanceof NonBlocking
				|| (Thread.currentThread() instanceof FastThreadLocalThread netty && !netty.permitBlockingCalls()));
	}

	/**
	 * Wait within the time limits of Redis, and return why Redis failed, if it did. An
	 * interrupt does not end the wait, after which the caller relies on the reply. A
	 * thread that must not block does not wait: the command is sent, and later commands
	 * of this JVM follow it.
	 */
	public @Nullable Throwable await(CompletableFuture<?> reply) {
		if (!mayWait()) {
			return null;
		}
		FutureWait.awaitUninterruptibly(reply, LONGEST_CONNECT.plus(this.replyTimeout));
		if (!reply.isDone()) {
			return new TimeoutException("Redis has not replied in time");
		}
		return reply
			.<@Nullable Throwable>handle((done, failure) -> (failure != null) ? StageFailure.cause(failure) : null)
			.getNow(null);
	}

	/** Set the receiver of pushes: once, before any other call. */
	public void listen(CachePushes pushes) {
		this.commands.listen(pushes);
	}

	public EntryKeys keys(String cache, long epoch, String key) {
		return this.keys.entry(cache, epoch, key);
	}

	/** Read an entry, or {@code null} if there is none. */
	public CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
		return this.commands.<byte @Nullable []>send(keys.data(), Resend.ALWAYS,
				(redis, reply) -> redis.get(keys.data(), (entry, failure) -> {
					// then the key exists, but holds no entry
					boolean unreadable = failure != null && isError(failure, "WRONGTYPE");
					reply.accept(unreadable ? NOTHING : entry, unreadable ? null : failure);
				}));
	}

	/**
	 * Read entries, with one {@code MGET} to each server, which Lettuce splits by slots
	 * in a cluster. A key of another type is read as missing; {@code ACQUIRE} overwrites
	 * this key. A server that does not reply delays only its own entries.
	 * @return a reply for each entry, in the same order
	 */
	public List<CompletableFuture<byte @Nullable []>> readAll(List<EntryKeys> several) {
		Map<String, CompletableFuture<byte @Nullable []>> replies = new HashMap<>();
		several.stream()
			.map(EntryKeys::data)
			.collect(Collectors.groupingBy(this.commands::serverOf))
			.values()
			.forEach((names) -> readTogether(names, replies));
		return several.stream().map((keys) -> Objects.requireNonNull(replies.get(keys.data()))).toList();
	}

	private void readTogether(List<String> names, Map<String, CompletableFuture<byte @Nullable []>> replies) {
		CompletableFuture<List<byte @Nullable []>> reply = this.commands.send(names.get(0), Resend.ALWAYS,
				(redis) -> redis.getAll(names.toArray(String[]::new)));
		for (int i = 0; i < names.size(); i++) {
			int index = i;
			replies.put(names.get(i), reply.thenApply((values) -> values.get(index)));
		}
	}

	private static boolean isError(Throwable failure, String code) {
		return String.valueOf(StageFailure.cause(failure).getMessage()).startsWith(code);
	}

	/** Get an entry, or the right to load it. */
	public CompletableFuture<AcquireReply> acquire(EntryKeys keys, Acquisition wanted) {
		CompletableFuture<@Nullable Void> timedOut = new CompletableFuture<>();
		return this.commands.<AcquireReply>send(keys.data(), Resend.IF_NOT_SENT, (redis) -> {
			CompletableFuture<AcquireReply> reply = acquire(redis, keys, wanted);
			reply.thenAcceptBoth(timedOut, (late, none) -> releaseLate(redis, keys, wanted, late));
			return reply;
		}).whenComplete((reply, failure) -> {
			if (failure != null) {
				timedOut.complete(null);
			}
		});
	}

	private CompletableFuture<AcquireReply> acquire(RedisConnection<byte[]> redis, EntryKeys keys, Acquisition wanted) {
		boolean pushed = wanted.waits() && subscription().isOpen(inbox());
		Long seen = wanted.seenMicros();
		long sentNanos = this.clock.nanoTime();
		return CacheScript.ACQUIRE
			.run(redis, keys.all(), wanted.attempt(), wanted.leaseMillis(), wanted.rejected(),
					pushed ? this.instance : "", (seen != null) ? seen : "",
					(seen != null) ? Objects.requireNonNullElse(time().notAfter(sentNanos), 0L) : "")
			.thenApply((reply) -> acquired(wanted, reply, pushed, sentNanos));
	}

	/**
	 * Release a lease that was acquired after the timeout of its caller, since it would
	 * block all others; even if the breaker is open, since the server has just replied.
	 */
	private void releaseLate(RedisConnection<byte[]> redis, EntryKeys keys, Acquisition wanted, AcquireReply late) {
		if (late instanceof AcquireReply.Leased) {
			CacheScript.ABANDON.run(redis, keys.all(), wanted.attempt(), this.keys.inboxPrefix(), 0);
		}
	}

	/**
	 * Probe for local copies: a copy whose change nobody announces would be served until
	 * its time ends.
	 */
	private void probeForCopies() {
		this.clock.schedule(PROBE_PAUSE, () -> {
			if (!this.changeChannels.isEmpty()) {
				probe();
			}
			probeForCopies();
		});
	}

	/**
	 * Probe the subscription: it may receive nothing any more, which nobody would notice.
	 */
	private void probe() {
		long now = this.clock.nanoTime();
		if (now - this.probedNanos >= PROBE_PAUSE.toNanos()) {
			this.probedNanos = now;
			subscription().probe(inbox());
		}
	}

	private AcquireReply acquired(Acquisition wanted, List<Object> reply, boolean pushed, long sentNanos) {
		if (pushed && RedisCommands.number(reply, 0) == 3) {
			probe();
		}
		return switch ((int) RedisCommands.number(reply, 0)) {
			case 1 -> new AcquireReply.Present((byte[]) reply.get(1));
			case 2 -> {
				long graceMillis = RedisCommands.number(reply, 1);
				yield (graceMillis > 0)
						? new AcquireReply.Leased(wanted.attempt(),
								sentNanos + TimeUnit.MILLISECONDS.toNanos(graceMillis), (byte[]) reply.get(2))
						: new AcquireReply.Leased(wanted.attempt(), null, NOTHING);
			}
			case 3 -> new AcquireReply.Taken(RedisCommands.number(reply, 1), pushed);
			default -> {
				if (reply.size() > 1) {
					this.commands.forgetTime();
				}
				yield new AcquireReply.Outdated();
			}
		};
	}

	/**
	 * Store an entry that was loaded under a lease, and release the lease.
	 * @return whether the entry was stored: not if it was evicted during the load, or if
	 * the grace of the lease has ended
	 */
	public CompletableFuture<Boolean> store(EntryKeys keys, AcquireReply.Leased lease, byte[] entry, long lifeMillis) {
		return run(CacheScript.STORE, keys, lease.attempt(), entry, lifeMillis, this.keys.inboxPrefix(), LONGEST_PUSHED,
				lease.graceEnd());
	}

	/**
	 * Release a lease without an entry, and return whether it was still held.
	 * @param pauseMillis how long no JVM may load the entry if no caller waits for it
	 */
	public CompletableFuture<Boolean> abandon(EntryKeys keys, String attempt, long pauseMillis) {
		return run(CacheScript.ABANDON, keys, attempt, this.keys.inboxPrefix(), pauseMillis);
	}

	/** Extend a lease, and return whether it was still held. */
	public CompletableFuture<Boolean> renew(EntryKeys keys, String attempt, long leaseMillis) {
		return this.commands.run(Resend.ALWAYS, CacheScript.RENEW, keys.all(), attempt, leaseMillis);
	}

	/**
	 * Delete an entry, and reject its loads that began before.
	 * @param graceMillis longest life of entries that are loaded during this time
	 * @return whether there was an entry
	 */
	public CompletableFuture<Boolean> evict(String cache, EntryKeys keys, long graceMillis) {
		return this.commands
			.run(Resend.ALWAYS, CacheScript.EVICT, keys.all(), graceMillis, this.memoryMillis, this.keys.inboxPrefix(),
					this.keys.changes(cache))
			.exceptionallyCompose((failure) -> ifSlotMoves(failure, () -> evictInSteps(cache, keys, graceMillis)));
	}

	/**
	 * Store an entry, and reject its loads that began before. While a cluster moves the
	 * slot, or the store is full, the entry is evicted instead.
	 * @param entry the entry; an empty one is not stored, and evicts
	 * @param version if not {@code null}, nothing happens while there is an entry with
	 * the same or a higher version
	 * @return whether the entry was stored
	 */
	public CompletableFuture<Boolean> put(String cache, EntryKeys keys, byte[] entry, long lifeMillis,
			@Nullable Long version) {
		return run(CacheScript.PUT, keys, entry, lifeMillis, this.memoryMillis, this.keys.inboxPrefix(), LONGEST_PUSHED,
				this.keys.changes(cache), (version != null) ? Envelope.versionBytes(version) : NOTHING)
			.exceptionallyCompose((failure) -> ifSlotMoves(failure,
					() -> evictInSteps(cache, keys, 0).thenCompose((deleted) -> (version == null)
							? CompletableFuture.completedFuture(false) : CompletableFuture.failedFuture(failure))));
	}

	/**
	 * Store an entry, unless there is one.
	 * @param rejected beginning of an entry that counts as none
	 * @return the present entry, or {@code null} if the new one was stored
	 */
	public CompletableFuture<byte @Nullable []> putIfAbsent(String cache, EntryKeys keys, byte[] entry, long lifeMillis,
			byte[] rejected) {
		return this.commands
			.send(keys.data(), Resend.IF_NOT_SENT,
					(redis) -> CacheScript.PUT.run(redis, keys.all(), entry, lifeMillis, this.memoryMillis,
							this.keys.inboxPrefix(), LONGEST_PUSHED, this.keys.changes(cache), "absent", rejected))
			.<byte @Nullable []>thenApply((reply) -> (reply.size() > 1) ? (byte[]) reply.get(1) : null);
	}

	/**
	 * Repeat a command in steps while a slot moves: a cluster then rejects commands on
	 * several keys, but not on one key.
	 */
	private static <T> CompletableFuture<T> ifSlotMoves(Throwable failure, Supplier<CompletableFuture<T>> inSteps) {
		return isError(failure, "TRYAGAIN") ? inSteps.get() : CompletableFuture.failedFuture(failure);
	}

	/**
	 * Delete the lease before the entry: an entry that is stored in between was loaded
	 * after the change. Callers that wait for the load try again when the lease ends.
	 */
	private CompletableFuture<Boolean> evictInSteps(String cache, EntryKeys keys, long graceMillis) {
		return step(keys.tombstone(), "tombstone", graceMillis, this.memoryMillis)
			.thenCompose((done) -> step(keys.lease(), "delete"))
			.thenCompose((done) -> step(keys.data(), "delete", this.keys.changes(cache)));
	}

	private CompletableFuture<Boolean> step(String key, Object... stepAndArguments) {
		return this.commands.run(Resend.ALWAYS, CacheScript.STEP, new String[] { key }, stepAndArguments);
	}

	private CompletableFuture<Boolean> run(CacheScript script, EntryKeys keys, Object... arguments) {
		return this.commands.run(Resend.IF_NOT_SENT, script, keys.all(), arguments);
	}

	/**
	 * Return the epoch of a cache.
	 * @param seen the highest epoch known, 0 for none; the result is not lower
	 */
	public CompletableFuture<Long> epoch(String cache, long seen) {
		return epoch(CacheScript.EPOCH, cache, seen);
	}

	/**
	 * Begin a new epoch of a cache, and return the epoch.
	 * @param seen the highest epoch known, 0 for none; the result is higher
	 */
	public CompletableFuture<Long> clear(String cache, long seen) {
		return epoch(CacheScript.CLEAR, cache, seen);
	}

	/** Request the epoch, as each cache that is used does every two seconds. */
	private CompletableFuture<Long> epoch(CacheScript script, String cache, long seen) {
		this.commands.sampleTimeIfDue();
		String[] key = { this.keys.epoch(cache) };
		return this.commands
			.send(key[0], Resend.ALWAYS, (redis) -> script.run(redis, key, seen, this.keys.clears(), cache))
			.thenApply((reply) -> decimal(reply, 0));
	}

	/**
	 * Evict the entries of a tag, and return the evicts that the caller does not know.
	 * @param seen the highest position of an evict known, 0 for none
	 * @param known the position up to which all evicts are known, 0 for none
	 * @param tag the number of the tag, or {@code null} to evict nothing
	 * @return the positions of the evicts by the numbers of their tags
	 */
	public CompletableFuture<Map<Integer, Long>> tags(String cache, long seen, long known, @Nullable Integer tag) {
		String[] key = { this.keys.tags(cache) };
		return this.commands
			.send(key[0], Resend.ALWAYS,
					(redis) -> CacheScript.TAGS.run(redis, key, seen, known, this.keys.clears(), cache,
							(tag != null) ? tag : ""))
			.thenApply((reply) -> IntStream.range(0, reply.size() / 2)
				.boxed()
				.collect(Collectors.toMap((i) -> (int) decimal(reply, 2 * i), (i) -> decimal(reply, 2 * i + 1))));
	}

	private static long decimal(List<Object> reply, int index) {
		return Long.parseLong(new String((byte[]) reply.get(index), StandardCharsets.US_ASCII));
	}

	/**
	 * Subscribe to the changes of a cache, and return whether the subscription existed
	 * before.
	 */
	public boolean follow(String cache) {
		if (!this.commands.connect()) {
			return false;
		}
		String channel = this.changeChannels.computeIfAbsent(cache, this.keys::changes);
		if (subscription().isOpen(channel)) {
			return true;
		}
		subscription().add(channel);
		return false;
	}

	/**
	 * Return whether a failure is an error reply, other than that Redis loads its data or
	 * runs a long script, while which Redis serves no command at all.
	 */
	public static boolean isAnswer(Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		return cause instanceof RedisCommandExecutionException && !(cause instanceof RedisLoadingException)
				&& !(cause instanceof RedisBusyException);
	}

	/** Return letters and digits that no other attempt has, in any JVM. */
	public String newAttempt() {
		return this.instance + "x" + Long.toHexString(this.attempts.incrementAndGet());
	}

	public RedisTime time() {
		return this.commands.time();
	}

	/** Return the clock of this JVM, which is closed with the store. */
	public MonotonicClock clock() {
		return this.clock;
	}

	private Subscription subscription() {
		return Objects.requireNonNull(this.subscription, "Not connected");
	}

	private String inbox() {
		return this.keys.inboxPrefix() + this.instance;
	}

	@Override
	public void close() {
		Subscription subscription = this.subscription;
		if (subscription != null) {
			subscription.close();
		}
		this.commands.close();
	}

	/**
	 * A request for an entry or for the right to load it.
	 *
	 * @param attempt random text that identifies this attempt, and its lease
	 * @param rejected beginning of an entry that the caller cannot use, empty if there is
	 * none
	 * @param waits whether to notify the caller when the load of another caller ends
	 * @param seenMicros Redis time since when the caller has seen no change of the data,
	 * or {@code null} if it sees all changes
	 */
	public record Acquisition(String attempt, long leaseMillis, byte[] rejected, boolean waits,
			@Nullable Long seenMicros) {

	}

	/**
	 * Reply to a request for an entry or for the right to load it.
	 */
	public sealed interface AcquireReply {

		record Present(byte[] entry) implements AcquireReply {
		}

		/**
		 * The caller holds the lease and loads the entry.
		 *
		 * @param graceEndNanos when the entry has to expire, in the time of the clock, or
		 * {@code null} for no limit
		 * @param graceEnd the same time as Redis has sent it
		 */
		record Leased(String attempt, @Nullable Long graceEndNanos, byte[] graceEnd) implements AcquireReply {
		}

		/**
		 * Another caller loads the entry.
		 *
		 * @param remainingMillis when the lease of that caller expires unless it is
		 * renewed
		 * @param pushed whether Redis notifies this JVM of the end of the load
		 */
		record Taken(long remainingMillis, boolean pushed) implements AcquireReply {
		}

		/**
		 * The caller may read data from before a change, so its load must not be stored.
		 */
		record Outdated() implements AcquireReply {
		}

	}

	/**
	 * Parses the messages that the scripts publish to this JVM.
	 *
	 * @param inbox the channel of ends of loads
	 * @param clears the channel of clears; any other is that of the changes of a cache
	 */
	private record CacheMessages(String inbox, String clears,
			CachePushes pushes) implements Subscription.Listener<byte[]> {

		@Override
		public void message(String channel, byte[] message) {
			if (message.length == 0) {
				return; // a probe
			}
			try {
				if (channel.equals(this.inbox)) {
					loadEnded(message);
				}
				else if (channel.equals(this.clears)) {
					cleared(text(message));
				}
				else {
					this.pushes.changed(text(message));
				}
			}
			catch (RuntimeException ex) {
				logger.warn("A message on channel '" + channel + "' could not be read and is ignored", ex);
			}
		}

		/** The message is a kind, the attempt, and the entry or nothing. */
		private void loadEnded(byte[] message) {
			int end = 2;
			while (message[end] != ' ') {
				end++;
			}
			String attempt = new String(message, 2, end - 2, StandardCharsets.US_ASCII);
			this.pushes.ended(attempt,
					(message[0] == 'V') ? Arrays.copyOfRange(message, end + 1, message.length) : null);
		}

		private void cleared(String message) {
			int blank = message.indexOf(' ');
			this.pushes.cleared(message.substring(blank + 1), Long.parseLong(message.substring(0, blank)));
		}

		@Override
		public void opened(String channel) {
			this.pushes.missed(channel.equals(this.clears));
		}

		@Override
		public void closed(String channel) {
			this.pushes.missing();
		}

		@Override
		public void refused(String channel, Throwable failure) {
			logger.debug("Redis rejects the subscription to channel '" + channel + "': " + failure.getMessage());
		}

		private static String text(byte[] message) {
			return new String(message, StandardCharsets.UTF_8);
		}

	}

	/**
	 * Receives what Redis pushes to a JVM, and whether commands to Redis pause. The
	 * methods are called on a thread of Netty, which must not be blocked.
	 */
	public interface CachePushes {

		/**
		 * Called when the load of another caller has ended.
		 * @param attempt the attempt that waits for the load
		 * @param entry the stored entry, or {@code null} to read or load it
		 */
		void ended(String attempt, byte @Nullable [] entry);

		/** The entry with a data key was evicted or put. */
		void changed(String data);

		/**
		 * Called when a cache has a new epoch: the cache was cleared, or Redis had lost
		 * the epoch.
		 * @param cache name of the cache; behind it in braces the number of a tag, if the
		 * tag was evicted at the position
		 */
		void cleared(String cache, long epoch);

		/**
		 * Called when messages may be lost from now on: local copies may be used only
		 * while Redis cannot be read.
		 */
		void missing();

		/**
		 * Called when messages may have been lost: waiting attempts have to repeat their
		 * requests, and local copies are invalid.
		 * @param clears whether clears may have been lost too, or Redis may have lost its
		 * data, as after each connect: the epochs have to be read again
		 */
		void missed(boolean clears);

		/**
		 * Called when Redis has failed several times in a row, and commands to Redis
		 * pause.
		 */
		void paused();

		/** Called when Redis has replied after a pause. */
		void resumed();

	}

}
