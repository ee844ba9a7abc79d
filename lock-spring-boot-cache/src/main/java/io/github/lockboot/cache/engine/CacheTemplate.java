package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
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
import io.github.lockboot.cache.engine.CacheChanges.Eviction;
import io.github.lockboot.cache.engine.TypedCache.KeyedLoader;
import io.github.lockboot.cache.engine.TypedCache.SealedEntry;
import io.github.lockboot.cache.key.KeyEncoder;
import io.github.lockboot.cache.key.KeyEncoder.EncodedKey;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.CacheStore.CachePushes;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.cache.transaction.Transactions.Change;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.StageFailure;

/**
 * The cache of one JVM: reads, loads and changes of entries in a {@link CacheStore}.
 * Thread-safe.
 */
@Internal
public class CacheTemplate implements CacheOperations, AutoCloseable {

	private static final Log logger = LogFactory.getLog(CacheTemplate.class);

	/** How often to put for an entry that cannot be read and changes meanwhile. */
	private static final int MAX_TRIES = 3;

	/** Limits what specifications cost that their users do not keep. */
	private static final int MAX_SPECIFICATIONS = 10_000;

	/** Replaces an older entry and is not stored. */
	private static final SealedEntry NOTHING = new SealedEntry(new Envelope(new byte[0]), 0);

	private final Function<String, CacheSettings> defaults;

	private final ValueCodec codec;

	private final CacheListener listener;

	/** By the name of the cache, with the settings of its first user. */
	private final ConcurrentMap<String, LocalCache> locals = new ConcurrentHashMap<>();

	/** By what the specifications of one cache share. */
	private final Map<Object, TypedCache> caches = new ConcurrentHashMap<>();

	private final AsyncThreads threads;

	final EntryRead.Context context;

	/**
	 * Create a template, without connecting.
	 * @param defaults returns the settings of a cache by its name, which a specification
	 * changes
	 * @param listeners listeners to notify, in order
	 * @param asynchronous starts asynchronous loaders
	 * @param results completes what asynchronous calls return
	 * @param background decorates a load in the background
	 */
	protected CacheTemplate(CacheStore store, Function<String, CacheSettings> defaults, ValueCodec codec,
			Transactions transactions, List<CacheListener> listeners, Executor asynchronous, Executor results,
			UnaryOperator<Runnable> background) {
		this.threads = new AsyncThreads(asynchronous, results, store.clock());
		this.defaults = defaults;
		this.codec = codec;
		this.listener = new CompositeCacheListener(listeners);
		Epochs epochs = new Epochs(store);
		SingleFlights flights = new SingleFlights(store, background);
		this.context = new EntryRead.Context(epochs, flights,
				new CacheChanges(epochs, flights, this.locals, this.listener, transactions));
		store.listen(new Pushes());
	}

	/**
	 * Check a specification, and connect in the background, since a checked cache is
	 * about to be used.
	 */
	@Override
	public void check(CacheSpec<?> spec) {
		cache(spec);
		this.context.store().connect();
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T get(CacheSpec<T> spec, Object key,
			CacheLoader<T, X> loader) throws X {
		TypedCache cache = cache(spec);
		String text = KeyEncoder.of(cache.name(), key);
		return new EntryRead<>(this.context, cache, text,
				new KeyedLoader<>(cache, spec.tags(), key, text, loader, loader))
			.get(loader);
	}

	@Override
	public <T extends @Nullable Object> @Nullable CachedValue<T> getIfPresent(CacheSpec<T> spec, Object key) {
		return new EntryRead<T>(this.context, cache(spec), KeyEncoder.of(spec.name(), key), null).find();
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> getAsync(CacheSpec<T> spec, Object key,
			AsyncCacheLoader<T> loader) {
		TypedCache cache = cache(spec);
		String text = KeyEncoder.of(cache.name(), key);
		CacheLoader<T, ?> blocking = () -> FutureWait.get(StageFailure.future(loader.load()));
		return new EntryRead<>(this.context, cache, text,
				new KeyedLoader<>(cache, spec.tags(), key, text, loader, blocking))
			.getAsync(loader, this.threads);
	}

	@Override
	public <K, T extends @Nullable Object, X extends Throwable> Map<K, T> getAll(CacheSpec<T> spec, Collection<K> keys,
			CacheBatchLoader<K, T, X> loader) throws X {
		return new BatchRead<>(this.context, cache(spec), spec, keys, loader).run();
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<Boolean> refresh(CacheSpec<T> spec, Object key,
			CacheLoader<T, ?> loader) {
		TypedCache cache = cache(spec);
		String text = KeyEncoder.of(spec.name(), key);
		if (this.context.changes().isPending(cache.name(), text)) {
			return CompletableFuture.completedFuture(false);
		}
		CompletableFuture<Refreshes.OldEntry> old = this.context.epochs().get(cache.name()).thenCompose((view) -> {
			EntryKeys keys = this.context.store().keys(cache.name(), view.epoch(), text);
			return this.context.store().read(keys).thenApply((entry) -> {
				Envelope own = (entry != null) ? cache.open(entry) : null;
				return new Refreshes.OldEntry(keys, (entry != null) ? Envelope.mark(entry) : new byte[0],
						(own != null) ? own.version() : null);
			});
		});
		return this.context.flights()
			.refreshes()
			.start(cache, text, old, new KeyedLoader<>(cache, spec.tags(), key, text, loader, loader))
			// the thread that completes the future must not block
			.thenApplyAsync((stored) -> stored, this.threads.forResults());
	}

	@Override
	public <T extends @Nullable Object> void put(CacheSpec<T> spec, Object key, T value) {
		awaitTags(spec);
		this.context.store().await(send(spec, key, value, null));
	}

	@Override
	public <T extends @Nullable Object> boolean putIfNewer(CacheSpec<T> spec, Object key, T value, long version) {
		this.context.store().checkMayWait();
		awaitTags(spec);
		CompletableFuture<Boolean> stored = send(spec, key, value, version);
		Throwable failure = this.context.store().await(stored);
		if (failure != null) {
			throw new CacheUnavailableException(spec.name(), KeyEncoder.of(spec.name(), key), failure);
		}
		return stored.join();
	}

	@Override
	@SuppressWarnings({ "unchecked", "NullAway" })
	public <T extends @Nullable Object> @Nullable CachedValue<T> putIfAbsent(CacheSpec<T> spec, Object key, T value) {
		this.context.store().checkMayWait();
		TypedCache cache = cache(spec);
		String text = KeyEncoder.of(spec.name(), key);
		awaitTags(spec);
		SealedEntry entry = seal(spec, cache, value, null);
		byte[] rejected = new byte[0];
		Throwable failure = new IllegalStateException(
				(entry != null) ? "it is changed all the time" : "such a value is not stored");
		for (int i = 0; i < MAX_TRIES && entry != null; i++) {
			CompletableFuture<byte @Nullable []> reply = this.context.changes()
				.putIfAbsent(new Change(spec.name(), text), text, entry, rejected);
			Throwable failed = this.context.store().await(reply);
			if (failed != null) {
				failure = failed;
				break;
			}
			byte[] present = reply.join();
			if (present == null) {
				return null;
			}
			Envelope envelope = cache.open(present);
			if (envelope != null && cache.lacksTagsOf(envelope)) {
				this.context.store().await(this.context.epochs().get(spec.name()));
			}
			CachedValue<?> found = cache.find(present);
			if (found != null) {
				return (CachedValue<T>) found;
			}
			rejected = Envelope.mark(present);
		}
		throw new CacheUnavailableException(spec.name(), text, failure);
	}

	<T extends @Nullable Object> CompletableFuture<Boolean> send(CacheSpec<T> spec, Object key, T value,
			@Nullable Long version) {
		String text = KeyEncoder.of(spec.name(), key);
		Change target = new Change(spec.name(), text);
		SealedEntry entry;
		try {
			entry = seal(spec, cache(spec), value, version);
		}
		catch (RuntimeException | Error ex) {
			// such as that of the tags, after which the old value must not be served
			evict(List.of(new Eviction(target, 0)));
			throw ex;
		}
		return this.context.changes().put(target, text, (entry != null) ? entry : NOTHING, version);
	}

	private <T extends @Nullable Object> @Nullable SealedEntry seal(CacheSpec<T> spec, TypedCache cache, T value,
			@Nullable Long version) {
		return cache.seal(value, new CacheTerms<>() {
		}, spec.tags(), cache.tagPosition(), 0, Long.MAX_VALUE, version);
	}

	/** Wait for the evicts of tags: an entry that is put is newer than those known. */
	private void awaitTags(CacheSpec<?> spec) {
		cache(spec);
		if (spec.tags() != null && this.context.epochs().find(spec.name()) == null) {
			this.context.store().await(this.context.epochs().get(spec.name()));
		}
	}

	@Override
	public <T extends @Nullable Object> void putWhenCommitted(CacheSpec<T> spec, Object key, T value) {
		whenCommitted(spec, key, value, null);
	}

	@Override
	public <T extends @Nullable Object> void putIfNewerWhenCommitted(CacheSpec<T> spec, Object key, T value,
			long version) {
		whenCommitted(spec, key, value, version);
	}

	/** Put after the commit; evict if others may have read what is wrong meanwhile. */
	private <T extends @Nullable Object> void whenCommitted(CacheSpec<T> spec, Object key, T value,
			@Nullable Long version) {
		Object now = EncodedKey.of(cache(spec).name(), key);
		Change target = new Change(spec.name(), now.toString());
		this.context.changes().transactions().afterCommit(Set.of(target), () -> {
			awaitTags(spec);
			this.context.store().await(send(spec, now, value, version));
		}, () -> evict(List.of(new Eviction(target, 0))));
	}

	@Override
	public void evict(CacheEviction eviction) {
		if (eviction.failOnError()) {
			this.context.store().checkMayWait();
		}
		List<Eviction> evictions = evictions(eviction);
		Runnable change = () -> {
			Throwable failure = evict(evictions);
			if (failure != null && eviction.failOnError()) {
				throw new CacheUnavailableException(eviction.cacheName(), failure);
			}
		};
		Set<Change> targets = evictions.stream().map(Eviction::scope).collect(Collectors.toSet());
		Transactions transactions = eviction.afterCommit() ? this.context.changes().transactions() : Transactions.NONE;
		transactions.afterCommit(targets, change, change);
	}

	private static List<Eviction> evictions(CacheEviction eviction) {
		long graceMillis = eviction.grace().toMillis();
		if (!eviction.tags().isEmpty()) {
			return eviction.tags()
				.stream()
				.map((tag) -> Envelope.Tags.numberOf(KeyEncoder.of(eviction.cacheName(), tag)))
				.distinct()
				.map((tag) -> new Eviction(new Change(eviction.cacheName(), null, tag), 0))
				.toList();
		}
		if (eviction.keys().isEmpty()) {
			return List.of(new Eviction(new Change(eviction.cacheName(), null), graceMillis));
		}
		return eviction.keys()
			.stream()
			.map((key) -> KeyEncoder.of(eviction.cacheName(), key))
			.distinct()
			.map((key) -> new Eviction(new Change(eviction.cacheName(), key), graceMillis))
			.toList();
	}

	/** Return why some entries are not evicted yet, or {@code null} if all are. */
	private @Nullable Throwable evict(List<Eviction> evictions) {
		Throwable failure = null;
		for (int i = 0; i < evictions.size(); i += CacheStore.MAX_BATCH) {
			// not all at once: the last replies would arrive too late
			List<Eviction> chunk = evictions.subList(i, Math.min(i + CacheStore.MAX_BATCH, evictions.size()));
			for (CompletableFuture<?> reply : this.context.changes().evict(chunk)) {
				Throwable failed = this.context.store().await(reply);
				failure = (failure != null) ? failure : failed;
			}
		}
		return failure;
	}

	@Override
	public Announcement announce(Collection<CacheEviction> changes) {
		Set<Change> announced = changes.stream().flatMap(CacheTemplate::announced).collect(Collectors.toSet());
		Runnable end = this.context.changes().transactions().announce(announced);
		return end::run;
	}

	private static Stream<Change> announced(CacheEviction eviction) {
		try {
			return evictions(eviction).stream().map(Eviction::scope);
		}
		catch (CacheKeyException ex) {
			// the eviction itself reports its failure
			return Stream.of(new Change(eviction.cacheName(), null));
		}
	}

	private TypedCache cache(CacheSpec<?> spec) {
		if (spec.tags() != null) {
			this.context.epochs().knowsTags(spec.name());
		}
		TypedCache known = this.caches.get(spec.identity());
		if (known != null) {
			return known;
		}
		if (this.caches.size() >= MAX_SPECIFICATIONS) {
			this.caches.clear();
		}
		return this.caches.computeIfAbsent(spec.identity(), (identity) -> resolve(spec));
	}

	private TypedCache resolve(CacheSpec<?> spec) {
		CacheSettings settings = spec.settings(this.defaults.apply(spec.name()));
		LocalCache local = settings.hasCopies()
				? this.locals.computeIfAbsent(spec.name(), (name) -> new LocalCache(name, settings)) : null;
		return new TypedCache(spec, settings, this.codec, local, this.listener, this.context.store().time(),
				this.context.epochs());
	}

	/**
	 * Close the connections, after one more try of failed evicts. Later calls run
	 * uncached.
	 */
	@Override
	public void close() {
		this.context.flights().refreshes().close();
		this.context.changes().close();
		this.context.store().close();
		this.context.flights().pushesMissed();
	}

	/**
	 * Passes what Redis pushes to the parts that it concerns.
	 */
	private final class Pushes implements CachePushes {

		@Override
		public void ended(String attempt, byte @Nullable [] entry) {
			CacheTemplate.this.context.flights().pushed(attempt, entry);
		}

		@Override
		public void changed(String data) {
			// each cache recognizes its own entries by name
			CacheTemplate.this.locals.values().forEach((local) -> local.drop(data));
		}

		@Override
		public void cleared(String cache, long epoch) {
			CacheTemplate.this.context.epochs().learn(cache, epoch);
		}

		@Override
		public void missing() {
			CacheTemplate.this.context.flights().pushesMissed();
			CacheTemplate.this.locals.values().forEach(LocalCache::invalidateAll);
		}

		@Override
		public void missed(boolean clears) {
			CacheTemplate.this.context.flights().pushesMissed();
			CacheTemplate.this.locals.values().forEach(LocalCache::dropAll);
			if (clears) {
				CacheTemplate.this.context.epochs().expireAll();
			}
		}

		@Override
		public void paused() {
			logOutage("Redis fails and is not used for some time; meanwhile these caches serve");
			CacheTemplate.this.listener.onRedisPaused();
		}

		@Override
		public void resumed() {
			logOutage("Redis answers again; these caches no longer serve");
			CacheTemplate.this.listener.onRedisResumed();
		}

		private void logOutage(String what) {
			List<String> caches = CacheTemplate.this.locals.entrySet()
				.stream()
				.filter((local) -> local.getValue().servesOutages())
				.map(Map.Entry::getKey)
				.sorted()
				.toList();
			if (!caches.isEmpty()) {
				logger.warn(what + " older copies (lock.cache.local-outage-ttl): " + caches);
			}
		}

	}

	/**
	 * Notifies all listeners. A failure of a listener is logged once and affects neither
	 * the cache nor the other listeners.
	 */
	private static final class CompositeCacheListener implements CacheListener {

		private final List<CacheListener> listeners;

		private final Set<CacheListener> failed = ConcurrentHashMap.newKeySet();

		CompositeCacheListener(List<CacheListener> listeners) {
			this.listeners = List.copyOf(listeners);
		}

		@Override
		public void onEvent(String cacheName, CacheEvent event) {
			forEach((listener) -> listener.onEvent(cacheName, event));
		}

		@Override
		public void onLoad(String cacheName, Duration took, boolean failed) {
			forEach((listener) -> listener.onLoad(cacheName, took, failed));
		}

		@Override
		public void onRedisPaused() {
			forEach(CacheListener::onRedisPaused);
		}

		@Override
		public void onRedisResumed() {
			forEach(CacheListener::onRedisResumed);
		}

		private void forEach(Consumer<CacheListener> notification) {
			for (CacheListener listener : this.listeners) {
				try {
					notification.accept(listener);
				}
				catch (Throwable ex) { // of Kotlin, also a checked one
					if (this.failed.add(listener)) {
						logger.warn(
								"Cache listener " + listener.getClass().getName()
										+ " failed. The cache is not affected, further failures of it are not logged",
								ex);
					}
				}
			}
		}

	}

}
