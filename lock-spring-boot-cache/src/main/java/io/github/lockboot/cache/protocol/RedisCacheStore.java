package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.EvictionWarning;
import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * Entries in Redis. Each call is one command; a hit is a plain {@code GET}. A lost
 * connection, a slow server and an open breaker look the same to callers: a reply that
 * fails.
 *
 * @since 1.0.0
 */
@Internal
public final class RedisCacheStore implements CacheStore {

	/** An entry that is not longer comes with the message that wakes those who wait. */
	private static final byte[] LONGEST_PUSHED = Argument.of(4096);

	private static final byte[] NOTHING = new byte[0];

	private static final String EVICTS = "it may evict the lease of a load of the cache, so that several callers load,"
			+ " and the time of an evict, so that an older transaction stores an old value. Set"
			+ " 'maxmemory-policy allkeys-lru', or 'noeviction' where locks are in the same Redis";

	private final ConnectionSettings application;

	private final @Nullable String applicationName;

	private final CacheKeys keys;

	private final RedisCommands commands;

	/** For how long the time of an evict is remembered. */
	private final long memoryMillis;

	private final byte[] memory;

	/** Channels of changes by cache, since each hit of a local copy asks for one. */
	private final Map<String, String> changeChannels = new ConcurrentHashMap<>();

	private final String instance = HexFormat.of().toHexDigits(new SecureRandom().nextLong());

	/**
	 * Create a store. Makes no connection yet.
	 * @param application how the application connects
	 * @param settings how Redis is used
	 * @param clock the clock to use; closed with the store
	 */
	public RedisCacheStore(ConnectionSettings application, StoreSettings settings, MonotonicClock clock) {
		this.application = application;
		this.applicationName = settings.applicationName();
		this.keys = new CacheKeys(settings.keyPrefix());
		this.commands = new RedisCommands(this::newConnections, settings, clock);
		this.memoryMillis = settings.memory().toMillis();
		this.memory = Argument.of(this.memoryMillis);
	}

	private Connections newConnections() {
		RedisConnection<byte[]> transport = this.application.connectForCache(this.applicationName,
				Duration.ofSeconds(1), CacheScript.all());
		try {
			Subscription channels = transport
				.subscribe(new CacheMessages(inbox(), this.keys.clears(), this.commands.pushes()));
			channels.add(inbox());
			channels.add(this.keys.clears());
			this.commands.learnTime(transport);
			new EvictionWarning(transport::memoryInfo, RedisCacheStore::evictsBlindly, EVICTS).check();
			return new Connections(transport, channels);
		}
		catch (RuntimeException ex) {
			transport.close();
			throw ex;
		}
	}

	/** By LRU and LFU leases, which were just used, are the last to go. */
	private static boolean evictsBlindly(String policy) {
		return policy.endsWith("-ttl") || policy.endsWith("-random");
	}

	@Override
	public void connect() {
		this.commands.connections();
	}

	@Override
	public void listen(CachePushes pushes) {
		this.commands.listen(pushes);
	}

	@Override
	public CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
		return this.commands
			.<byte @Nullable []>ask(keys.data(), (connections) -> connections.transport().get(keys.data()))
			.exceptionally(RedisCacheStore::asGarbage);
	}

	/**
	 * One {@code MGET} for each server, which Lettuce divides by slots on a cluster. To
	 * it a key of another type looks like none; {@code ACQUIRE} heals it.
	 */
	@Override
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
		CompletableFuture<List<byte @Nullable []>> reply = this.commands.ask(names.get(0),
				(connections) -> connections.transport().getAll(names.toArray(String[]::new)));
		for (int i = 0; i < names.size(); i++) {
			int index = i;
			replies.put(names.get(i), reply.thenApply((values) -> values.get(index)));
		}
	}

	/** A key of another type holds no entry, but it is there. */
	private static byte[] asGarbage(Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		if (cause instanceof RedisCommandExecutionException
				&& String.valueOf(cause.getMessage()).startsWith("WRONGTYPE")) {
			return NOTHING;
		}
		throw (failure instanceof CompletionException wrapped) ? wrapped : new CompletionException(failure);
	}

	@Override
	public CompletableFuture<AcquireReply> acquire(EntryKeys keys, Acquisition wanted) {
		CompletableFuture<@Nullable Void> gaveUp = new CompletableFuture<>();
		return this.commands.<AcquireReply>ask(keys.data(), (connections) -> {
			CompletableFuture<AcquireReply> reply = acquire(connections, keys, wanted);
			reply.thenAcceptBoth(gaveUp, (late, none) -> giveBack(connections, keys, wanted, late));
			return reply;
		}).whenComplete((reply, failure) -> {
			if (failure != null) {
				gaveUp.complete(null);
			}
		});
	}

	private CompletableFuture<AcquireReply> acquire(Connections connections, EntryKeys keys, Acquisition wanted) {
		boolean pushed = wanted.waits() && connections.channels().isOpen(inbox());
		Long seen = wanted.seenMicros();
		return connections.transport()
			.run(CacheScript.ACQUIRE.script(), keys.all(), Argument.of(wanted.attempt()),
					Argument.of(wanted.leaseMillis()), wanted.rejected(), pushed ? Argument.of(this.instance) : NOTHING,
					(seen != null) ? Argument.of(seen) : NOTHING)
			.thenApply((reply) -> acquired(reply, pushed));
	}

	/**
	 * A lease that came after its caller had gone on without it would keep all others
	 * waiting. Whether the breaker is open does not matter: the server has just answered.
	 */
	private void giveBack(Connections connections, EntryKeys keys, Acquisition wanted, AcquireReply late) {
		if (late instanceof AcquireReply.Leased) {
			connections.transport()
				.run(CacheScript.ABANDON.script(), keys.all(), Argument.of(wanted.attempt()),
						Argument.of(this.keys.inboxPrefix()), Argument.of(0));
		}
	}

	private static AcquireReply acquired(List<Object> reply, boolean pushed) {
		return switch ((int) RedisCommands.number(reply, 0)) {
			case 1 -> new AcquireReply.Present((byte[]) reply.get(1));
			case 2 -> new AcquireReply.Leased(RedisCommands.number(reply, 1));
			case 3 -> new AcquireReply.Taken(RedisCommands.number(reply, 1), pushed);
			default -> new AcquireReply.Outdated();
		};
	}

	@Override
	public CompletableFuture<Boolean> store(EntryKeys keys, String attempt, byte[] entry, long lifeMillis) {
		return run(CacheScript.STORE, keys, Argument.of(attempt), entry, Argument.of(lifeMillis),
				Argument.of(this.keys.inboxPrefix()), LONGEST_PUSHED);
	}

	@Override
	public CompletableFuture<Boolean> abandon(EntryKeys keys, String attempt, long pauseMillis) {
		return run(CacheScript.ABANDON, keys, Argument.of(attempt), Argument.of(this.keys.inboxPrefix()),
				Argument.of(pauseMillis));
	}

	@Override
	public CompletableFuture<Boolean> renew(EntryKeys keys, String attempt, long leaseMillis) {
		return run(CacheScript.RENEW, keys, Argument.of(attempt), Argument.of(leaseMillis));
	}

	@Override
	public CompletableFuture<Boolean> evict(String cache, EntryKeys keys, long graceMillis) {
		return run(CacheScript.EVICT, keys, Argument.of(graceMillis), this.memory, Argument.of(this.keys.inboxPrefix()),
				Argument.of(this.keys.changes(cache)))
			.exceptionallyCompose((failure) -> ifSlotMoves(failure, () -> evictInSteps(cache, keys, graceMillis)));
	}

	@Override
	public CompletableFuture<Boolean> put(String cache, EntryKeys keys, byte[] entry, long lifeMillis) {
		return run(CacheScript.PUT, keys, entry, Argument.of(lifeMillis), this.memory,
				Argument.of(this.keys.inboxPrefix()), LONGEST_PUSHED, Argument.of(this.keys.changes(cache)))
			.exceptionallyCompose((failure) -> ifSlotMoves(failure,
					() -> evictInSteps(cache, keys, 0).thenApply((deleted) -> false)));
	}

	@Override
	public CompletableFuture<Boolean> putIfNewer(String cache, EntryKeys keys, long version, byte[] entry,
			long lifeMillis) {
		byte[] rank = Argument.sortable(version);
		return this.commands
			.run(CacheScript.PUT_IF_NEWER, keys.allAndVersion(), entry, Argument.of(lifeMillis), this.memory,
					Argument.of(this.keys.inboxPrefix()), LONGEST_PUSHED, Argument.of(this.keys.changes(cache)), rank)
			.exceptionallyCompose((failure) -> ifSlotMoves(failure, () -> {
				// first of all: an older one that comes later must not be stored
				byte[] life = Argument.of(Math.max(lifeMillis, this.memoryMillis));
				return step(keys.version(), "version", rank, life)
					.thenCompose(
							(newer) -> newer ? evictInSteps(cache, keys, 0) : CompletableFuture.completedFuture(false))
					.thenApply((deleted) -> false);
			}));
	}

	/**
	 * While a slot moves, a cluster refuses commands on several keys and follows those on
	 * one.
	 */
	private static <T> CompletableFuture<T> ifSlotMoves(Throwable failure, Supplier<CompletableFuture<T>> inSteps) {
		boolean moves = String.valueOf(StageFailure.cause(failure).getMessage()).startsWith("TRYAGAIN");
		return moves ? inSteps.get() : CompletableFuture.failedFuture(failure);
	}

	/**
	 * The lease ends before the entry: whatever is stored in between was loaded after the
	 * change. Those who wait for the load ask again at the end of the lease.
	 */
	private CompletableFuture<Boolean> evictInSteps(String cache, EntryKeys keys, long graceMillis) {
		return step(keys.tombstone(), "tombstone", Argument.of(graceMillis), this.memory)
			.thenCompose((done) -> step(keys.lease(), "delete"))
			.thenCompose((done) -> step(keys.data(), "delete", Argument.of(this.keys.changes(cache))));
	}

	private CompletableFuture<Boolean> step(String key, String step, byte[]... arguments) {
		byte[][] all = Stream.concat(Stream.of(Argument.of(step)), Arrays.stream(arguments)).toArray(byte[][]::new);
		return this.commands.run(CacheScript.STEP, new String[] { key }, all);
	}

	private CompletableFuture<Boolean> run(CacheScript script, EntryKeys keys, byte[]... arguments) {
		return this.commands.run(script, keys.all(), arguments);
	}

	@Override
	public CompletableFuture<Long> epoch(String cache, long seen) {
		return epoch(CacheScript.EPOCH, cache, seen);
	}

	@Override
	public CompletableFuture<Long> clear(String cache, long seen) {
		return epoch(CacheScript.CLEAR, cache, seen);
	}

	private CompletableFuture<Long> epoch(CacheScript script, String cache, long seen) {
		String[] key = { this.keys.epoch(cache) };
		byte[] channel = Argument.of(this.keys.clears());
		return this.commands
			.ask(key[0],
					(connections) -> connections.transport()
						.run(script.script(), key, Argument.of(seen), channel, Argument.of(cache)))
			.thenApply((reply) -> Long.valueOf(new String((byte[]) reply.get(0), StandardCharsets.US_ASCII)));
	}

	@Override
	public boolean follow(String cache) {
		Connections made = this.commands.connections();
		if (made == null) {
			return false;
		}
		String channel = this.changeChannels.computeIfAbsent(cache, this.keys::changes);
		if (made.channels().isOpen(channel)) {
			return true;
		}
		made.channels().add(channel);
		return false;
	}

	@Override
	public boolean isAnswer(Throwable failure) {
		return RedisCommands.isAnswer(failure);
	}

	@Override
	public RedisTime time() {
		return this.commands.time();
	}

	private String inbox() {
		return this.keys.inboxPrefix() + this.instance;
	}

	@Override
	public void close() {
		this.commands.close();
	}

}
