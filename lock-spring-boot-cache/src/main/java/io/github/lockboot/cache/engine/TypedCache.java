package io.github.lockboot.cache.engine;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheException;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.codec.ValueDifference;
import io.github.lockboot.cache.codec.ValueTypes;
import io.github.lockboot.cache.key.KeyEncoder;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.protocol.RedisTime;

/**
 * A cache with its settings and the type of its values, which makes entries of values and
 * values of entries. An empty {@code Optional} is stored as a null.
 */
final class TypedCache {

	private static final Log logger = LogFactory.getLog(TypedCache.class);

	private final String name;

	private final CacheSettings settings;

	private final @Nullable LocalCache local;

	private final CacheListener listener;

	private final RedisTime time;

	private final Epochs epochs;

	private final long staleMillis;

	private final double refreshAhead;

	private final ValueCodec codec;

	private final Type type;

	private final boolean optional;

	private final int schema;

	/**
	 * What to do if values come back changed; {@code null} for a codec of the cache's
	 * own.
	 */
	private final @Nullable String advice;

	private final ValueDifference differences = new ValueDifference();

	/** What was warned of, once each. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Create a cache.
	 * @param general codec of all caches, for a cache without its own. The general codec
	 * needs a type that determines its values; a codec of the cache does not
	 * @throws IllegalArgumentException if the type does not determine its values
	 */
	TypedCache(CacheSpec<?> spec, CacheSettings settings, ValueCodec general, @Nullable LocalCache local,
			CacheListener listener, RedisTime time, Epochs epochs) {
		this.name = spec.name();
		this.settings = settings;
		this.local = local;
		this.listener = listener;
		this.time = time;
		this.epochs = epochs;
		this.staleMillis = settings.staleTtl().toMillis();
		this.refreshAhead = settings.refreshAhead();
		Type declared = spec.type();
		this.optional = declared instanceof ParameterizedType generic && generic.getRawType() == Optional.class;
		this.type = this.optional ? ((ParameterizedType) declared).getActualTypeArguments()[0] : declared;
		ValueCodec own = settings.serializer();
		if (own != null) {
			this.codec = own;
			// entries of the general codec have another schema
			this.schema = ~own.shape(this.type);
			this.advice = null;
		}
		else {
			String serializer = "a ValueCodec bean that brings such values back in lock.cache.caches[" + this.name
					+ "].serializer";
			this.codec = general;
			this.schema = general.shape(this.type);
			this.advice = "Let Jackson restore it (a constructor that it can call, @JsonTypeInfo for subclasses, no fields"
					+ " of type Object), return another type, or name " + serializer;
			Type open = ValueTypes.findOpen(this.type);
			Assert.isTrue(open == null, () -> "Values of type " + declared.getTypeName() + " can't be cached, since "
					+ String.valueOf(open).replaceFirst("^(class|interface) ", "")
					+ " does not say what they are: they would come back as something else. Name concrete types, or "
					+ serializer);
		}
	}

	String name() {
		return this.name;
	}

	CacheSettings settings() {
		return this.settings;
	}

	/** Return how long the lease of a load lasts without a renewal. */
	long leaseMillis() {
		return this.settings.lease().toMillis();
	}

	@Nullable LocalCache local() {
		return this.local;
	}

	CacheListener listener() {
		return this.listener;
	}

	void report(CacheEvent event) {
		this.listener.onEvent(this.name, event);
	}

	long freshMillis(Envelope envelope) {
		return envelope.staleAtMillis() - this.time.millis();
	}

	/** Return whether an entry is too old to be served, even as a stale one. */
	boolean isExpired(Envelope envelope) {
		return this.time.isSampled() && freshMillis(envelope) + this.staleMillis <= 0;
	}

	boolean isStale(Envelope envelope) {
		return this.staleMillis > 0 && freshMillis(envelope) <= 0;
	}

	/**
	 * Return whether to refresh a fresh entry: the likelier the nearer its end, and the
	 * longer its load takes.
	 */
	boolean isDue(Envelope envelope) {
		if (this.refreshAhead == 0) {
			return false;
		}
		double aheadMicros = -envelope.loadMicros() * this.refreshAhead
				* Math.log(ThreadLocalRandom.current().nextDouble(Double.MIN_NORMAL, 1));
		return freshMillis(envelope) <= aheadMicros / 1000;
	}

	/** Return the highest position of an evict of a tag that is known. */
	long tagPosition() {
		return this.epochs.position(this.name);
	}

	/** Return whether the entry has tags whose evicts are not known yet. */
	boolean lacksTagsOf(Envelope envelope) {
		return envelope.hasTags() && !this.epochs.knowsTags(this.name);
	}

	/** Return whether a tag of the entry was evicted since its load began. */
	boolean isEvicted(Envelope envelope) {
		Envelope.Tags tags = envelope.tags();
		return tags != null && this.epochs.isEvicted(this.name, tags);
	}

	@Nullable Envelope open(byte[] entry) {
		return Envelope.open(entry, this.schema);
	}

	/**
	 * Return the value of an entry, or {@code null} if it cannot be read or is too old.
	 */
	@SuppressWarnings("NullAway") // a value may be null
	@Nullable CachedValue<@Nullable Object> find(byte[] entry) {
		try {
			Envelope envelope = open(entry);
			return (envelope != null && !isExpired(envelope) && !isEvicted(envelope))
					? new CachedValue<@Nullable Object>(read(envelope)) : null;
		}
		catch (CodecException ex) {
			return null;
		}
	}

	/**
	 * Read the value of an entry.
	 * @throws CodecException if the value cannot be read, or is of another type: all
	 * types that use the name of the cache share a local copy or a flight
	 */
	@Nullable Object read(Envelope envelope) {
		if (envelope.schema() != this.schema) {
			throw new CodecException("read", this.type, new IllegalStateException("it is of another type"));
		}
		byte[] bytes = envelope.bytes();
		Object value = envelope.isNull() ? null
				: guard("read", () -> this.codec.decode(bytes, Envelope.HEADER, envelope.length(), this.type));
		return this.optional ? Optional.ofNullable(value) : value;
	}

	/**
	 * Create the entry of a value.
	 * @param tags returns the tags of the value, {@code null} for none
	 * @param position the last evict of a tag that the value has seen
	 * @param longestMillis how long the entry may live at most
	 * @return the entry, or {@code null} if it is not stored. A value that cannot be
	 * serialized is not stored, but still returned to its caller
	 */
	<T extends @Nullable Object> @Nullable SealedEntry seal(T value, CacheTerms<T> terms,
			@Nullable Function<? super T, ? extends Collection<?>> tags, long position, long loadNanos,
			long longestMillis, @Nullable Long version) {
		long wantedMillis = terms.isStorable(value) ? freshMillis(value, terms) : 0;
		// also in the entry, because a local copy expires at the time in the entry
		long freshMillis = Math.min(longestMillis, wantedMillis);
		if (freshMillis <= 0) {
			return null;
		}
		Envelope.Tags sealed = (tags != null) ? tagsOf(tags.apply(value), position) : null;
		byte[] bytes;
		try {
			bytes = Envelope.seal(this.schema, this.time.millis() + freshMillis,
					TimeUnit.NANOSECONDS.toMicros(loadNanos), write(value), version, sealed);
		}
		catch (CodecException ex) {
			warnOf(ex);
			return null;
		}
		if (bytes.length > this.settings.maxSize().toBytes()) {
			warnOfSize(bytes.length);
			return null;
		}
		return new SealedEntry(new Envelope(bytes), Math.min(longestMillis, freshMillis + this.staleMillis));
	}

	private Envelope.@Nullable Tags tagsOf(Collection<?> tags, long position) {
		Set<Integer> numbers = tags.stream()
			.map((tag) -> Envelope.Tags.numberOf(KeyEncoder.of(this.name, tag)))
			.collect(Collectors.toSet());
		Assert.isTrue(numbers.size() <= Envelope.Tags.MOST, () -> "A value of cache '" + this.name + "' has "
				+ numbers.size() + " tags, but at most " + Envelope.Tags.MOST + " are possible");
		return numbers.isEmpty() ? null : new Envelope.Tags(numbers, position);
	}

	private <T extends @Nullable Object> long freshMillis(T value, CacheTerms<T> terms) {
		Duration asked = terms.ttlOf(value);
		if (asked != null) {
			// a value may ask for a time without an end
			return Math.min(TimeUnit.MILLISECONDS.convert(asked), LockDefaults.longest().toMillis());
		}
		Duration ttl = isNull(value) ? this.settings.nullTtl() : this.settings.ttl();
		double factor = 1 + this.settings.jitter() * ThreadLocalRandom.current().nextDouble(-1, 1);
		return (ttl.isZero()) ? 0 : Math.max(1, (long) (ttl.toMillis() * factor));
	}

	boolean isNull(@Nullable Object value) {
		return value == null || (this.optional && ((Optional<?>) value).isEmpty());
	}

	/**
	 * Write a value.
	 * @return the payload, or {@code null} for a null
	 * @throws CodecException if the value cannot be written or read, or, by the cache's
	 * own codec, comes back as another value
	 */
	private byte @Nullable [] write(@Nullable Object value) {
		Object plain = (this.optional && value != null) ? ((Optional<?>) value).orElse(null) : value;
		if (plain == null) {
			return null;
		}
		byte[] bytes = guard("written", () -> this.codec.encode(plain, this.type));
		guard("read", () -> {
			Object read = this.codec.decode(bytes, 0, bytes.length, this.type);
			String difference = (this.advice != null) ? this.differences.find(plain, read) : null;
			Assert.state(difference == null, () -> String.valueOf(difference));
			return read;
		});
		return bytes;
	}

	/**
	 * Call the codec, which may be the application's. Whatever the codec throws, also
	 * unchecked, means that the value cannot be written or read; the call does not fail.
	 */
	private <R> R guard(String action, Callable<R> call) {
		try {
			return Objects.requireNonNull(call.call(), "the codec has returned null");
		}
		catch (CodecException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new CodecException(action, this.type, ex);
		}
	}

	private void warnOf(CodecException failure) {
		if (this.warned.add("codec")) {
			String reason = String.valueOf(failure.getMessage()).replaceAll("\\R\\s*", " ");
			logger.warn("Values of cache '" + this.name + "' are not stored, and loaded at every call. " + reason
					+ ((this.advice != null) ? ". " + this.advice : ""));
		}
		logger.debug("A value of cache '" + this.name + "' is not stored", failure);
	}

	void warnOfKey(String called, String now) {
		if (this.warned.add("key")) {
			logger.warn("A value of cache '" + this.name
					+ "' is not stored: the arguments of its call have changed since," + " from key '" + called
					+ "' to '" + now + "'. Pass a copy of what the caller changes later");
		}
	}

	private void warnOfSize(int length) {
		if (this.warned.add("size")) {
			logger.warn("A value of cache '" + this.name + "' has " + length
					+ " bytes and is not stored: lock.cache.max-size allows " + this.settings.maxSize().toBytes()
					+ ". Such values are loaded at every call");
		}
		report(CacheEvent.TOO_LONG);
	}

	/**
	 * A loader that may run after its call has returned. The caller may have changed the
	 * arguments by then: their value belongs to another key, and replaces no entry.
	 *
	 * @param tags the tags of the value, {@code null} for none
	 * @param key the key of the call, which may be mutable
	 * @param text the text of the key at the call
	 * @param body loads the value, on a thread that may block
	 */
	record KeyedLoader<T extends @Nullable Object>(TypedCache cache,
			@Nullable Function<? super T, ? extends Collection<?>> tags, Object key, String text, CacheTerms<T> terms,
			CacheLoader<T, ?> body) implements CacheLoader<T, Throwable> {

		/** Load in the background, before and after which the key has to be the same. */
		@Override
		public T load() throws Throwable {
			check();
			T value = this.body.load();
			check();
			return value;
		}

		private void check() {
			if (hasAnotherKey()) {
				throw new CacheKeyException(this.cache.name(), "The arguments have another key now", null);
			}
		}

		/** Return whether the key of the arguments has changed since the call. */
		boolean hasAnotherKey() {
			String now;
			try {
				now = KeyEncoder.of(this.cache.name(), this.terms.keyNow(this.key));
			}
			catch (RuntimeException ex) {
				// the caller may be changing the key
				now = (ex instanceof CacheException) ? String.valueOf(ex.getMessage()) : ex.toString();
			}
			if (now.equals(this.text)) {
				return false;
			}
			this.cache.warnOfKey(this.text, now);
			return true;
		}

		@Override
		public KeyedLoader<T> inBackground() {
			return new KeyedLoader<>(this.cache, this.tags, this.key, this.text, this.terms, this.body.inBackground());
		}

		@Override
		public boolean isStorable(T value) {
			return this.terms.isStorable(value);
		}

		@Override
		public @Nullable Duration ttlOf(T value) {
			return this.terms.ttlOf(value);
		}

	}

	/**
	 * An entry that is ready to be stored, and how long Redis keeps it.
	 */
	record SealedEntry(Envelope envelope, long lifeMillis) {

	}

}
