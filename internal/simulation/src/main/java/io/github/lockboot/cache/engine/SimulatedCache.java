package io.github.lockboot.cache.engine;

import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.engine.CacheChanges.Eviction;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.RedisCacheSettings;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.cache.transaction.Transactions.Change;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * The cache of one JVM with one cache of numbers, for the simulation, which has no
 * threads that wait.
 */
@NullMarked
public final class SimulatedCache {

	private static final String NAME = "c";

	private static final RedisCacheSettings SETTINGS = new RedisCacheSettings("cache:", Duration.ofMillis(250),
			Duration.ofSeconds(5));

	private final CacheSpec<Long> spec;

	private final MonotonicClock clock;

	private final CacheTemplate template;

	/** When the transaction of the present caller began, if it has one. */
	private @Nullable Long transactionNanos;

	/**
	 * Create the cache of a JVM, without connecting.
	 * @param instance letters and digits that no other JVM has
	 * @param shape what distinguishes the entries of its version of the application
	 */
	public SimulatedCache(Function<Collection<LuaScript>, RedisConnection<byte[]>> connector, String instance,
			MonotonicClock clock, UnaryOperator<CacheSettings> settings, int shape, Executor threads) {
		this.spec = CacheSpec.of(NAME, Long.class).with(settings);
		this.clock = clock;
		CacheStore store = new CacheStore(connector, instance, new CacheKeys(SETTINGS.keyPrefix()),
				SETTINGS.commandTimeout(), SETTINGS.snapshotWindow(), clock);
		this.template = new CacheTemplate(store, (name) -> CacheSettings.defaults(), new NumberCodec(shape),
				new Snapshots(), List.of(), threads, threads, UnaryOperator.identity());
	}

	/** Connect in the background. */
	public void connect() {
		this.template.check(this.spec);
	}

	/** Whether the time of Redis is known. */
	public boolean isConnected() {
		return this.template.context.store().time().notAfter(this.clock.nanoTime()) != null;
	}

	/**
	 * Read an entry.
	 * @param tag its tag, {@code null} for none
	 * @param beganNanos when the transaction of the caller began, if it has one
	 */
	public CompletableFuture<Long> read(String key, @Nullable String tag, @Nullable Long beganNanos,
			Supplier<CompletionStage<Long>> loader) {
		this.transactionNanos = beganNanos;
		try {
			return this.template.getAsync(tagged(tag), key, loader::get);
		}
		finally {
			this.transactionNanos = null;
		}
	}

	/** Evict an entry; the result completes when the method returns. */
	public CompletableFuture<?> evict(String key, long graceMillis) {
		return evict(new Change(NAME, key), graceMillis);
	}

	private CacheSpec<Long> tagged(@Nullable String tag) {
		return (tag != null) ? this.spec.withTags((value) -> List.of(tag)) : this.spec;
	}

	/** Evict the entries of a tag; the result completes when the method returns. */
	public CompletableFuture<?> evictTag(String tag) {
		return evict(new Change(NAME, null, Envelope.Tags.numberOf(tag)), 0);
	}

	/** Evict all entries; the result completes when the method returns. */
	public CompletableFuture<?> clear() {
		return evict(new Change(NAME, null), 0);
	}

	private CompletableFuture<?> evict(Change target, long graceMillis) {
		return this.template.context.changes().evict(List.of(new Eviction(target, graceMillis))).get(0);
	}

	/**
	 * Put an entry; the result completes when the method returns.
	 * @param tag its tag, {@code null} for none
	 * @param ifNewer whether the value is also its version
	 */
	public CompletableFuture<?> put(String key, @Nullable String tag, long value, boolean ifNewer) {
		CacheSpec<Long> tagged = tagged(tag);
		Long version = ifNewer ? value : null;
		if (tag == null) {
			return this.template.send(tagged, key, value, version);
		}
		// a put waits for the evicts of tags, but here no thread can wait
		return this.template.context.epochs()
			.get(NAME)
			.handle((view, failure) -> true)
			.thenCompose((known) -> this.template.send(tagged, key, value, version));
	}

	/** Close the connections; no evict is tried again. */
	public void close() {
		this.template.context.store().close();
	}

	/** Return what is still in memory, but for copies and epochs. */
	public Map<String, Object> left() {
		Map<String, Object> left = left(this.template);
		Object replies = field(field(field(this.template.context.store(), "commands"), "timeouts"), "deadlines");
		if (!((Map<?, ?>) replies).isEmpty()) {
			left.put("replies", replies);
		}
		return left;
	}

	/** Return what is still in memory, but for copies, epochs and replies. */
	static Map<String, Object> left(CacheTemplate template) {
		EntryRead.Context context = template.context;
		Map<String, Object> left = new TreeMap<>();
		left.put("flights", field(context.flights(), "open"));
		left.put("pushes", field(context.flights(), "pushes"));
		left.put("evicts", field(context.changes(), "pending"));
		left.put("epochs", field(context.epochs(), "requests"));
		left.values().removeIf((value) -> ((Map<?, ?>) value).isEmpty());
		return left;
	}

	private static Object field(Object owner, String name) {
		try {
			Field field = owner.getClass().getDeclaredField(name);
			field.setAccessible(true);
			return field.get(owner);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Transactions that only read. */
	private final class Snapshots implements Transactions {

		@Override
		public @Nullable View view(String cache, String key) {
			Long beganNanos = SimulatedCache.this.transactionNanos;
			return (beganNanos != null) ? new View(beganNanos, false, true) : null;
		}

	}

	/** Writes numbers as text. */
	record NumberCodec(int shape) implements ValueCodec {

		@Override
		public int shape(Type type) {
			return this.shape;
		}

		@Override
		public byte[] encode(Object value, Type type) {
			return value.toString().getBytes(StandardCharsets.US_ASCII);
		}

		@Override
		public Object decode(byte[] bytes, int offset, int length, Type type) {
			return Long.valueOf(new String(bytes, offset, length, StandardCharsets.US_ASCII));
		}

	}

}
