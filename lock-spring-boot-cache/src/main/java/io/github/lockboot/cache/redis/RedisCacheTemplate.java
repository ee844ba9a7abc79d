package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ConcurrentReferenceHashMap;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheBatchLoader;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.protocol.RedisCacheStore;
import io.github.lockboot.cache.protocol.StoreSettings;
import io.github.lockboot.cache.redis.Evictions.Eviction;
import io.github.lockboot.cache.redis.Transactions.Change;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * A cache on Redis: one server, Sentinel, Cluster, or a static master. Uses the servers,
 * credentials and TLS of the application's connection factory, on connections of its own
 * that are made in the background at the first use or check. Reads never go to a replica.
 * Thread-safe; one instance serves an application.
 *
 * @since 1.0.0
 */
public class RedisCacheTemplate implements CacheOperations, AutoCloseable {

	private final Function<String, CacheSettings> defaults;

	private final ValueCodec codec;

	private final LocalCaches locals = new LocalCaches();

	private final Map<CacheSpec<?>, TypedCache> caches = new ConcurrentReferenceHashMap<>();

	private final CacheThreads threads;

	private final CacheContext context;

	private final CacheChanges changes;

	/**
	 * Create a template. Makes no connection yet.
	 * @param application how the application connects
	 * @param settings how Redis is used
	 * @param defaults settings of a cache, by its name, where its specification says
	 * nothing
	 * @param codec how values are written
	 * @param transactions transactions of the callers
	 * @param listeners who is told what happens, in order
	 * @param threads where loads run that no caller's thread runs
	 */
	public RedisCacheTemplate(ConnectionSettings application, RedisCacheSettings settings,
			Function<String, CacheSettings> defaults, ValueCodec codec, Transactions transactions,
			List<CacheListener> listeners, CacheThreads threads) {
		this(application, settings, defaults, codec, transactions, listeners, threads, new SystemClock("cache-timer"));
	}

	/**
	 * The same with threads of the library.
	 * @param connectionFactory the application's connection factory, of Lettuce
	 * @param settings how Redis is used
	 * @param defaults settings of a cache, by its name, where its specification says
	 * nothing
	 * @param codec how values are written
	 * @param transactions transactions of the callers
	 * @param listeners who is told what happens, in order
	 * @throws IllegalArgumentException if the factory is not of Lettuce, or for a static
	 * master and replicas
	 */
	public RedisCacheTemplate(RedisConnectionFactory connectionFactory, RedisCacheSettings settings,
			Function<String, CacheSettings> defaults, ValueCodec codec, Transactions transactions,
			List<CacheListener> listeners) {
		this(ConnectionSettings.of(connectionFactory), settings, defaults, codec, transactions, listeners,
				CacheThreads.defaults());
	}

	private RedisCacheTemplate(ConnectionSettings application, RedisCacheSettings settings,
			Function<String, CacheSettings> defaults, ValueCodec codec, Transactions transactions,
			List<CacheListener> listeners, CacheThreads threads, MonotonicClock clock) {
		this(new RedisCacheStore(application,
				new StoreSettings(settings.keyPrefix(), settings.commandTimeout(), settings.pause(),
						settings.snapshotWindow(), settings.applicationName()),
				clock), settings, defaults, codec, transactions, listeners, threads, clock);
	}

	RedisCacheTemplate(CacheStore store, RedisCacheSettings settings, Function<String, CacheSettings> defaults,
			ValueCodec codec, Transactions transactions, List<CacheListener> listeners, CacheThreads threads,
			MonotonicClock clock) {
		this.threads = threads;
		this.defaults = defaults;
		this.codec = codec;
		CacheEvents events = new CacheEvents(listeners);
		CacheKeys keys = new CacheKeys(settings.keyPrefix());
		Epochs epochs = new Epochs(store, clock);
		SingleFlights flights = new SingleFlights(store, clock, events, newOrigin());
		Evictions evictions = new Evictions(store, epochs, keys);
		this.context = new CacheContext(store, new SharedReads(store::read), keys, epochs, flights,
				new Refreshes(store, clock, events, flights, threads), new PendingEvictions(evictions, clock, events),
				transactions, events, patience(settings));
		this.changes = new CacheChanges(this.context, evictions, this.locals);
		store.listen(new Pushes(flights, epochs, this.locals, events));
	}

	private static String newOrigin() {
		return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
	}

	/** No step has more than three commands one after the other. */
	private static Duration patience(RedisCacheSettings settings) {
		return settings.commandTimeout().multipliedBy(3);
	}

	/**
	 * Check a specification, and connect in the background: who has it checked is about
	 * to use it.
	 */
	@Override
	public void check(CacheSpec<?> spec) {
		cache(spec);
		this.context.store().connect();
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T get(CacheSpec<T> spec, Object key,
			CacheLoader<T, X> loader) throws X {
		return new BlockingRead<>(this.context, cache(spec), KeyEncoder.of(spec.name(), key), loader).get(loader);
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> getAsync(CacheSpec<T> spec, Object key,
			AsyncCacheLoader<T> loader) {
		return new AsyncRead<>(this.context, cache(spec), KeyEncoder.of(spec.name(), key), loader,
				this.threads::execute)
			.run();
	}

	@Override
	public <K, T extends @Nullable Object, X extends Throwable> Map<K, T> getAll(CacheSpec<T> spec, Collection<K> keys,
			CacheBatchLoader<K, T, X> loader) throws X {
		return new BatchRead<>(this.context, cache(spec), keys, loader).run();
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<Boolean> refresh(CacheSpec<T> spec, Object key,
			CacheLoader<T, ?> loader) {
		TypedCache cache = cache(spec);
		String text = KeyEncoder.of(spec.name(), key);
		if (this.context.pending().concerns(cache.name(), text)) {
			return CompletableFuture.completedFuture(false);
		}
		Refreshes.Refresh<T> refresh = this.context.refreshes().prepare(cache, loader);
		// who is told goes on elsewhere: the connection's thread must not be blocked
		return this.context.epochs().look(cache.name()).thenCompose((sight) -> {
			EntryKeys keys = this.context.keys().entry(cache.name(), sight.epoch(), text);
			return this.context.store()
				.read(keys)
				.thenCompose((entry) -> this.context.refreshes()
					.start(refresh, keys, (entry != null) ? Envelope.mark(entry) : new byte[0]));
		}).exceptionally((failure) -> {
			this.context.events().tell(cache.name(), CacheEvent.REDIS_FAILED);
			return false;
		}).thenApplyAsync((stored) -> stored, this.threads::execute);
	}

	@Override
	public <T extends @Nullable Object> @Nullable CachedValue<T> getIfPresent(CacheSpec<T> spec, Object key) {
		return new BlockingRead<T>(this.context, cache(spec), KeyEncoder.of(spec.name(), key), null).find();
	}

	@Override
	public <T extends @Nullable Object> void put(CacheSpec<T> spec, Object key, T value) {
		put(cache(spec), KeyEncoder.of(spec.name(), key), value, null);
	}

	@Override
	public <T extends @Nullable Object> boolean putIfNewer(CacheSpec<T> spec, Object key, T value, long version) {
		return put(cache(spec), KeyEncoder.of(spec.name(), key), value, version);
	}

	private <T extends @Nullable Object> boolean put(TypedCache cache, String key, T value, @Nullable Long version) {
		SealedEntry entry = new LoadRun<T>(cache, new CacheTerms<>() {
		}, this.context.events()).seal(value, 0, this.context.time());
		return this.changes.put(cache.name(), key, (entry != null) ? entry : cache.nothing(), version);
	}

	@Override
	public <T extends @Nullable Object> void putWhenCommitted(CacheSpec<T> spec, Object key, T value) {
		whenCommitted(spec, key, () -> put(spec, key, value));
	}

	@Override
	public <T extends @Nullable Object> void putIfNewerWhenCommitted(CacheSpec<T> spec, Object key, T value,
			long version) {
		whenCommitted(spec, key, () -> putIfNewer(spec, key, value, version));
	}

	private void whenCommitted(CacheSpec<?> spec, Object key, Runnable change) {
		if (!this.context.transactions().afterCommit(spec.name(), KeyEncoder.of(spec.name(), key), change)) {
			change.run();
		}
	}

	@Override
	public void evict(CacheEviction eviction) {
		List<Eviction> several = several(eviction);
		Runnable change = () -> {
			Throwable failure = this.changes.evict(several);
			if (failure != null && eviction.failOnError()) {
				throw new CacheUnavailableException(eviction.cacheName(), failure);
			}
		};
		if (!eviction.afterCommit() || !afterCommit(several, change)) {
			change.run();
		}
	}

	private static List<Eviction> several(CacheEviction eviction) {
		long graceMillis = eviction.grace().toMillis();
		if (eviction.keys().isEmpty()) {
			return List.of(new Eviction(eviction.cacheName(), null, graceMillis));
		}
		return eviction.keys()
			.stream()
			.map((key) -> KeyEncoder.of(eviction.cacheName(), key))
			.distinct()
			.map((key) -> new Eviction(eviction.cacheName(), key, graceMillis))
			.toList();
	}

	private boolean afterCommit(List<Eviction> several, Runnable change) {
		Runnable once = change;
		for (Eviction eviction : several) {
			if (!this.context.transactions().afterCommit(eviction.cache(), eviction.key(), once)) {
				return false;
			}
			once = () -> {
			};
		}
		return true;
	}

	@Override
	public Announcement announce(Collection<CacheEviction> changes) {
		Set<Change> announced = changes.stream().flatMap(RedisCacheTemplate::announced).collect(Collectors.toSet());
		Runnable end = this.context.transactions().announce(announced);
		return end::run;
	}

	private static Stream<Change> announced(CacheEviction eviction) {
		Change all = new Change(eviction.cacheName(), null);
		try {
			return eviction.keys().isEmpty() ? Stream.of(all)
					: several(eviction).stream().map((one) -> new Change(one.cache(), one.key()));
		}
		catch (CacheKeyException ex) {
			// who evicts it is told
			return Stream.of(all);
		}
	}

	private TypedCache cache(CacheSpec<?> spec) {
		TypedCache known = this.caches.get(spec);
		return (known != null) ? known : this.caches.computeIfAbsent(spec, this::resolve);
	}

	private TypedCache resolve(CacheSpec<?> spec) {
		CacheSettings settings = spec.settings(this.defaults.apply(spec.name()));
		return new TypedCache(spec.name(), settings, serializer(spec, settings), this.locals.of(spec.name(), settings));
	}

	private ValueSerializer serializer(CacheSpec<?> spec, CacheSettings settings) {
		ValueCodec own = settings.serializer();
		return (own != null) ? ValueSerializer.of(spec.type(), own)
				: ValueSerializer.ofClosed(spec.type(), this.codec, spec.name());
	}

	/**
	 * Close the connections. Calls after it run uncached.
	 */
	@Override
	public void close() {
		this.context.refreshes().close();
		this.context.store().close();
	}

}
