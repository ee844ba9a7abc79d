package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.Internal;
import io.github.lockboot.redis.transport.BytesInbox;
import io.github.lockboot.redis.transport.BytesTransport;

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

	private final Breaker breaker;

	private final RedisTime time;

	/** Channels of changes by cache, since each hit of a local copy asks for one. */
	private final Map<String, String> channels = new ConcurrentHashMap<>();

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
		this.breaker = new Breaker(clock, settings.pause());
		this.time = new RedisTime(clock);
	}

	private Link connect() {
		BytesTransport transport = BytesTransport.connect(this.application, Duration.ofSeconds(1), CacheScript.all());
		try {
			BytesInbox inbox = transport.inbox(new CacheMessages(inbox(), this.keys.clears(),
					Objects.requireNonNull(this.pushes, "Nobody listens to the store")));
			inbox.subscribe(inbox());
			inbox.subscribe(this.keys.clears());
			askForTime(transport, 3);
			return new Link(transport, inbox);
		}
		catch (RuntimeException ex) {
			transport.close();
			throw ex;
		}
	}

	/** Several times in a row: the first answers of a connection are slow. */
	private void askForTime(BytesTransport transport, int times) {
		long sentNanos = this.clock.nanoTime();
		transport.timeMicros().thenAccept((micros) -> {
			this.time.add(sentNanos, micros);
			if (times > 1) {
				askForTime(transport, times - 1);
			}
		});
	}

	@Override
	public void listen(CachePushes pushes) {
		this.pushes = pushes;
	}

	@Override
	public CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
		return this.<byte @Nullable []>ask((link) -> link.transport().get(keys.data()))
			.exceptionally(RedisCacheStore::asGarbage);
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
		return ask((link) -> {
			boolean pushed = wanted.waits() && link.inbox().isOpen(inbox());
			Long seen = wanted.seenMicros();
			return link.transport()
				.run(CacheScript.ACQUIRE.script(), keys.all(), bytes(wanted.attempt()), bytes(wanted.leaseMillis()),
						wanted.rejected(), pushed ? bytes(this.instance) : NOTHING,
						(seen != null) ? bytes(seen) : NOTHING)
				.thenApply((reply) -> acquired(reply, pushed));
		});
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
		return run(CacheScript.ABANDON, keys, bytes(attempt), bytes(this.keys.inboxPrefix()));
	}

	@Override
	public CompletableFuture<Boolean> renew(EntryKeys keys, String attempt, long leaseMillis) {
		return run(CacheScript.RENEW, keys, bytes(attempt), bytes(leaseMillis));
	}

	@Override
	public CompletableFuture<Boolean> evict(String cache, EntryKeys keys, long graceMillis) {
		return run(CacheScript.EVICT, keys, bytes(graceMillis), memory(), bytes(this.keys.inboxPrefix()),
				bytes(this.keys.changes(cache)));
	}

	@Override
	public CompletableFuture<Boolean> put(String cache, EntryKeys keys, byte[] entry, long lifeMillis) {
		return run(CacheScript.PUT, keys, entry, bytes(lifeMillis), memory(), bytes(this.keys.inboxPrefix()),
				LONGEST_PUSHED, bytes(this.keys.changes(cache)));
	}

	private byte[] memory() {
		return bytes(this.settings.memory().toMillis());
	}

	private CompletableFuture<Boolean> run(CacheScript script, EntryKeys keys, byte[]... arguments) {
		return ask((link) -> link.transport().run(script.script(), keys.all(), arguments))
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
		return ask((link) -> link.transport().run(script.script(), key, arguments))
			.thenApply((reply) -> Long.valueOf(new String((byte[]) reply.get(0), StandardCharsets.US_ASCII)));
	}

	@Override
	public boolean follow(String cache) {
		CompletableFuture<Link> link = this.connection.link();
		if (!link.isDone() || link.isCompletedExceptionally()) {
			return false;
		}
		BytesInbox inbox = link.join().inbox();
		String channel = this.channels.computeIfAbsent(cache, this.keys::changes);
		if (inbox.isOpen(channel)) {
			return true;
		}
		inbox.subscribe(channel);
		return false;
	}

	@Override
	public RedisTime time() {
		return this.time;
	}

	private <T> CompletableFuture<T> ask(Function<Link, CompletableFuture<T>> command) {
		if (!this.breaker.allows()) {
			return CompletableFuture.failedFuture(new RedisException("Redis has failed and is not asked for a while"));
		}
		CompletableFuture<T> reply = this.connection.link().thenCompose(command::apply);
		CacheClock.Timer limit = this.clock.schedule(this.settings.commandTimeout(),
				() -> reply.completeExceptionally(new RedisCommandTimeoutException(
						"Redis did not answer within " + this.settings.commandTimeout().toMillis() + " ms")));
		return reply.whenComplete((result, failure) -> {
			limit.cancel();
			record(failure);
		});
	}

	/** An error that Redis answers with is an answer: it costs no caller any time. */
	private void record(@Nullable Throwable failure) {
		if (failure != null && !(cause(failure) instanceof RedisCommandExecutionException)) {
			this.breaker.failed();
			return;
		}
		this.breaker.succeeded();
		if (this.time.isDue()) {
			this.connection.link().thenAccept((link) -> askForTime(link.transport(), 1));
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
