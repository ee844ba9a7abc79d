package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.Internal;
import io.github.lockboot.redis.transport.BytesTransport;
import io.github.lockboot.redis.transport.Channels;

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
	private static final byte[] LONGEST_PUSHED = bytes(4096);

	private static final byte[] NOTHING = new byte[0];

	private final LettuceConnectionFactory application;

	private final StoreSettings settings;

	private final CacheClock clock;

	private final CacheKeys keys;

	private final StoreConnection connection;

	private final Breakers breakers;

	private final RedisTime time;

	/** Channels of changes by cache, since each hit of a local copy asks for one. */
	private final Map<String, String> changeChannels = new ConcurrentHashMap<>();

	private final String instance = HexFormat.of().toHexDigits(new SecureRandom().nextLong());

	private volatile @Nullable CachePushes pushes;

	/**
	 * Create a store. Makes no connection yet.
	 * @param application the application's connection factory; only its settings are used
	 * @param settings how Redis is used
	 * @param clock the clock to use; closed with the store
	 */
	public RedisCacheStore(LettuceConnectionFactory application, StoreSettings settings, CacheClock clock) {
		this.application = application;
		this.settings = settings;
		this.clock = clock;
		this.keys = new CacheKeys(settings.keyPrefix());
		this.connection = new StoreConnection(this::connect, clock, settings.pause());
		this.breakers = new Breakers(clock, settings.pause());
		this.time = new RedisTime(clock, this::servers, settings.memory());
	}

	private Link connect() {
		BytesTransport transport = BytesTransport.connect(this.application, Duration.ofSeconds(1), CacheScript.all());
		try {
			Channels channels = transport.channels(new CacheMessages(inbox(), this.keys.clears(),
					Objects.requireNonNull(this.pushes, "Nobody listens to the store")));
			channels.subscribe(inbox());
			channels.subscribe(this.keys.clears());
			askForTime(transport, 3);
			return new Link(transport, channels);
		}
		catch (RuntimeException ex) {
			transport.close();
			throw ex;
		}
	}

	private Set<String> servers() {
		Link made = this.connection.made();
		return (made != null) ? made.transport().servers() : Set.of();
	}

	/** Several times in a row: the first answers of a connection are slow. */
	private void askForTime(BytesTransport transport, int times) {
		transport.servers().forEach((server) -> askForTime(transport, server, times));
	}

	private void askForTime(BytesTransport transport, String server, int times) {
		long sentNanos = this.clock.nanoTime();
		transport.timeMicros(server).thenAccept((micros) -> {
			this.time.add(server, sentNanos, micros);
			if (times > 1) {
				askForTime(transport, server, times - 1);
			}
		});
	}

	@Override
	public void listen(CachePushes pushes) {
		this.pushes = pushes;
	}

	@Override
	public CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
		return this.<byte @Nullable []>ask(keys.data(), (link) -> link.transport().get(keys.data()))
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
			.collect(Collectors.groupingBy(this::serverOf))
			.values()
			.forEach((names) -> readTogether(names, replies));
		return several.stream().map((keys) -> Objects.requireNonNull(replies.get(keys.data()))).toList();
	}

	private void readTogether(List<String> names, Map<String, CompletableFuture<byte @Nullable []>> replies) {
		CompletableFuture<List<byte @Nullable []>> reply = ask(names.get(0),
				(link) -> link.transport().getAll(names.toArray(String[]::new)));
		for (int i = 0; i < names.size(); i++) {
			int index = i;
			replies.put(names.get(i), reply.thenApply((values) -> values.get(index)));
		}
	}

	/** A key of another type holds no entry, but it is there. */
	private static byte[] asGarbage(Throwable failure) {
		Throwable cause = cause(failure);
		if (cause instanceof RedisCommandExecutionException
				&& String.valueOf(cause.getMessage()).startsWith("WRONGTYPE")) {
			return NOTHING;
		}
		throw (failure instanceof CompletionException wrapped) ? wrapped : new CompletionException(failure);
	}

	@Override
	public CompletableFuture<AcquireReply> acquire(EntryKeys keys, Acquisition wanted) {
		CompletableFuture<@Nullable Void> gaveUp = new CompletableFuture<>();
		return this.<AcquireReply>ask(keys.data(), (link) -> {
			CompletableFuture<AcquireReply> reply = acquire(link, keys, wanted);
			reply.thenAcceptBoth(gaveUp, (late, none) -> giveBack(link, keys, wanted, late));
			return reply;
		}).whenComplete((reply, failure) -> {
			if (failure != null) {
				gaveUp.complete(null);
			}
		});
	}

	private CompletableFuture<AcquireReply> acquire(Link link, EntryKeys keys, Acquisition wanted) {
		boolean pushed = wanted.waits() && link.channels().isOpen(inbox());
		Long seen = wanted.seenMicros();
		return link.transport()
			.run(CacheScript.ACQUIRE.script(), keys.all(), bytes(wanted.attempt()), bytes(wanted.leaseMillis()),
					wanted.rejected(), pushed ? bytes(this.instance) : NOTHING, (seen != null) ? bytes(seen) : NOTHING)
			.thenApply((reply) -> acquired(reply, pushed));
	}

	/**
	 * A lease that came after its caller had gone on without it would keep all others
	 * waiting. Whether the breaker is open does not matter: the server has just answered.
	 */
	private void giveBack(Link link, EntryKeys keys, Acquisition wanted, AcquireReply late) {
		if (late instanceof AcquireReply.Leased) {
			link.transport()
				.run(CacheScript.ABANDON.script(), keys.all(), bytes(wanted.attempt()), bytes(this.keys.inboxPrefix()));
		}
	}

	private static AcquireReply acquired(List<Object> reply, boolean pushed) {
		return switch ((int) number(reply, 0)) {
			case 1 -> new AcquireReply.Present((byte[]) reply.get(1));
			case 2 -> new AcquireReply.Leased(number(reply, 1));
			case 3 -> new AcquireReply.Taken(number(reply, 1), pushed);
			default -> new AcquireReply.Outdated();
		};
	}

	@Override
	public CompletableFuture<Boolean> store(EntryKeys keys, String attempt, byte[] entry, long lifeMillis) {
		return run(CacheScript.STORE, keys, bytes(attempt), entry, bytes(lifeMillis), bytes(this.keys.inboxPrefix()),
				LONGEST_PUSHED);
	}

	@Override
	public CompletableFuture<Boolean> abandon(EntryKeys keys, String attempt) {
		return run(CacheScript.ABANDON, keys, bytes(attempt), bytes(this.keys.inboxPrefix()))
			.exceptionallyCompose((failure) -> ifItMoves(failure, () -> abandonInSteps(keys, attempt)));
	}

	@Override
	public CompletableFuture<Boolean> renew(EntryKeys keys, String attempt, long leaseMillis) {
		return run(CacheScript.RENEW, keys, bytes(attempt), bytes(leaseMillis));
	}

	@Override
	public CompletableFuture<Boolean> evict(String cache, EntryKeys keys, long graceMillis) {
		return run(CacheScript.EVICT, keys, bytes(graceMillis), memory(), bytes(this.keys.inboxPrefix()),
				bytes(this.keys.changes(cache)))
			.exceptionallyCompose((failure) -> ifItMoves(failure, () -> evictInSteps(cache, keys, graceMillis)));
	}

	@Override
	public CompletableFuture<Boolean> put(String cache, EntryKeys keys, byte[] entry, long lifeMillis) {
		return run(CacheScript.PUT, keys, entry, bytes(lifeMillis), memory(), bytes(this.keys.inboxPrefix()),
				LONGEST_PUSHED, bytes(this.keys.changes(cache)))
			.exceptionallyCompose((failure) -> ifItMoves(failure, () -> evictInSteps(cache, keys, 0)));
	}

	private static <T> CompletableFuture<T> ifItMoves(Throwable failure, Supplier<CompletableFuture<T>> other) {
		boolean moves = String.valueOf(cause(failure).getMessage()).startsWith("TRYAGAIN");
		return moves ? other.get() : CompletableFuture.failedFuture(failure);
	}

	/**
	 * While a slot moves, a cluster refuses commands on several keys and follows those on
	 * one. The lease ends before the entry: whatever is stored in between was loaded
	 * after the change.
	 */
	private CompletableFuture<Boolean> evictInSteps(String cache, EntryKeys keys, long graceMillis) {
		return step(keys.tombstone(), "bury", bytes(graceMillis), memory())
			.thenCompose((done) -> step(keys.lease(), "delete"))
			.thenCompose((done) -> step(keys.data(), "delete", bytes(this.keys.changes(cache))))
			.thenCompose((deleted) -> step(keys.waiters(), "wake", bytes(this.keys.inboxPrefix()))
				.thenApply((done) -> deleted));
	}

	private CompletableFuture<Boolean> abandonInSteps(EntryKeys keys, String attempt) {
		return step(keys.lease(), "end", bytes(attempt)).thenCompose(
				(ended) -> step(keys.waiters(), "wake", bytes(this.keys.inboxPrefix())).thenApply((done) -> ended));
	}

	private CompletableFuture<Boolean> step(String key, String step, byte[]... arguments) {
		byte[][] all = new byte[arguments.length + 1][];
		all[0] = bytes(step);
		System.arraycopy(arguments, 0, all, 1, arguments.length);
		return run(CacheScript.STEP, new String[] { key }, all);
	}

	@Override
	public CompletableFuture<Boolean> putIfNewer(String cache, EntryKeys keys, long version, byte[] entry,
			long lifeMillis) {
		return run(CacheScript.PUT_IF_NEWER, keys.allAndVersion(), entry, bytes(lifeMillis), memory(),
				bytes(this.keys.inboxPrefix()), LONGEST_PUSHED, bytes(this.keys.changes(cache)), sortable(version))
			.exceptionallyCompose(
					(failure) -> ifItMoves(failure, () -> evictIfNewerInSteps(cache, keys, version, lifeMillis)));
	}

	/** The version comes first: an older one that comes later must not be stored. */
	private CompletableFuture<Boolean> evictIfNewerInSteps(String cache, EntryKeys keys, long version,
			long lifeMillis) {
		long millis = Math.max(lifeMillis, this.settings.memory().toMillis());
		return step(keys.version(), "version", sortable(version), bytes(millis))
			.thenCompose((newer) -> newer ? evictInSteps(cache, keys, 0).thenApply((deleted) -> false)
					: CompletableFuture.completedFuture(false));
	}

	/** In the order of their texts, since numbers of Lua have only 53 bits. */
	private static byte[] sortable(long version) {
		return bytes(HexFormat.of().toHexDigits(version ^ Long.MIN_VALUE));
	}

	private byte[] memory() {
		return bytes(this.settings.memory().toMillis());
	}

	private CompletableFuture<Boolean> run(CacheScript script, EntryKeys keys, byte[]... arguments) {
		return run(script, keys.all(), arguments);
	}

	private CompletableFuture<Boolean> run(CacheScript script, String[] keys, byte[]... arguments) {
		return ask(keys[0], (link) -> link.transport().run(script.script(), keys, arguments))
			.thenApply((reply) -> number(reply, 0) == 1);
	}

	@Override
	public CompletableFuture<Long> epoch(String cache, long seen) {
		return epoch(CacheScript.EPOCH, cache, bytes(seen));
	}

	@Override
	public CompletableFuture<Long> clear(String cache, long seen) {
		return epoch(CacheScript.CLEAR, cache, bytes(seen), bytes(this.keys.clears()), bytes(cache));
	}

	private CompletableFuture<Long> epoch(CacheScript script, String cache, byte[]... arguments) {
		String[] key = { this.keys.epoch(cache) };
		return ask(key[0], (link) -> link.transport().run(script.script(), key, arguments))
			.thenApply((reply) -> Long.valueOf(new String((byte[]) reply.get(0), StandardCharsets.US_ASCII)));
	}

	@Override
	public boolean follow(String cache) {
		Link made = this.connection.made();
		if (made == null) {
			this.connection.link();
			return false;
		}
		String channel = this.changeChannels.computeIfAbsent(cache, this.keys::changes);
		if (made.channels().isOpen(channel)) {
			return true;
		}
		made.channels().subscribe(channel);
		return false;
	}

	@Override
	public boolean isAnswer(Throwable failure) {
		return cause(failure) instanceof RedisCommandExecutionException;
	}

	@Override
	public RedisTime time() {
		return this.time;
	}

	private <T> CompletableFuture<T> ask(String key, Function<Link, CompletableFuture<T>> command) {
		String server = serverOf(key);
		Breaker breaker = this.breakers.of(server);
		if (!breaker.allows()) {
			return CompletableFuture.failedFuture(new RedisException("Redis has failed and is not asked for a while"));
		}
		CompletableFuture<T> reply = this.connection.link().thenCompose(command::apply);
		CacheClock.Timer limit = this.clock.schedule(this.settings.commandTimeout(),
				() -> reply.completeExceptionally(new RedisCommandTimeoutException(
						"Redis did not answer within " + this.settings.commandTimeout().toMillis() + " ms")));
		return reply.whenComplete((result, failure) -> {
			limit.cancel();
			record(server, breaker, failure);
		});
	}

	private String serverOf(String key) {
		Link made = this.connection.made();
		return (made != null) ? made.transport().serverOf(key) : "";
	}

	/** An error that Redis answers with is an answer: it costs no caller any time. */
	private void record(String server, Breaker breaker, @Nullable Throwable failure) {
		if (failure != null && !isAnswer(failure)) {
			tell(breaker.failed(), CachePushes::paused);
			return;
		}
		tell(breaker.succeeded(), CachePushes::resumed);
		this.breakers.retireOthers(server, servers()).forEach((wasOpen) -> tell(wasOpen, CachePushes::resumed));
		if (this.time.isDue()) {
			this.connection.link().thenAccept((link) -> askForTime(link.transport(), 1));
		}
	}

	private void tell(boolean changed, Consumer<CachePushes> change) {
		CachePushes pushes = this.pushes;
		if (changed && pushes != null) {
			change.accept(pushes);
		}
	}

	private static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	private String inbox() {
		return this.keys.inboxPrefix() + this.instance;
	}

	@Override
	public void close() {
		this.connection.close();
		this.clock.close();
	}

	private static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

	private static byte[] bytes(long number) {
		return bytes(Long.toString(number));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
