package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.cache.CacheWaitTimeoutException;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;

/**
 * What all callers do on their way to an entry, however they wait for it: look into this
 * JVM, take a seat, make a value of what arrives. Belongs to one call.
 *
 * @param <T> type of the value
 */
final class Approach<T extends @Nullable Object> {

	private final CacheContext context;

	private final TypedCache cache;

	private final String key;

	/** Loads the entry anew in the background. */
	private final CacheLoader<T, ?> refresher;

	/** Of the caller's thread, which the call may leave. */
	private final Transactions.@Nullable Begin begin;

	private volatile byte @Nullable [] rejected;

	private volatile @Nullable Throwable down;

	Approach(CacheContext context, TypedCache cache, String key, CacheLoader<T, ?> refresher) {
		this.context = context;
		this.cache = cache;
		this.key = key;
		this.refresher = refresher;
		this.begin = context.transactions().current();
	}

	CacheContext context() {
		return this.context;
	}

	TypedCache cache() {
		return this.cache;
	}

	/**
	 * Whether the caller's transaction has changed the entry, so that only the database
	 * knows what it is to see, or anything else, so that nobody else may see what it
	 * loads.
	 */
	boolean isBarred() {
		Transactions transactions = this.context.transactions();
		if (transactions.isChanging(this.cache.name(), this.key) || !transactions.mayStore(this.cache.name())) {
			return true;
		}
		if (this.context.pending().concerns(this.cache.name(), this.key)) {
			goWithoutRedis(new IllegalStateException("Redis has not yet answered to an eviction of this entry"));
		}
		return false;
	}

	void goWithoutRedis(Throwable reason) {
		this.down = reason;
	}

	boolean isWithoutRedis() {
		return this.down != null;
	}

	/** The epoch where Redis is not asked. */
	Epochs.Sight lastSight() {
		return this.context.epochs().lookBack(this.cache.name());
	}

	/** Return the copy of this JVM, if there is one that can be read. */
	@Nullable CachedValue<T> copy(Epochs.Sight sight) {
		LocalLevel level = level();
		Envelope copy = (level != null && sight.confirmation() == null) ? level.find(sight, this.key) : null;
		return (copy != null) ? read(sight.epoch(), copy, CacheEvent.LOCAL_HIT) : null;
	}

	Place place(Epochs.Sight sight) {
		EntryKeys keys = keys(sight.epoch());
		LocalLevel level = level();
		return new Place(sight, keys, level, (level != null) ? level.stamp(keys.data()) : 0);
	}

	private @Nullable LocalLevel level() {
		return isWithoutRedis() ? null : this.context.levelOf(this.cache);
	}

	private EntryKeys keys(long epoch) {
		return this.context.keys().entry(this.cache.name(), epoch, this.key);
	}

	Seat seat(Place place) {
		return new Seat(this.context.view(this.begin, place.sight().epoch()), this.rejected);
	}

	/**
	 * Wait for the outcome. After the wait time one caller of this JVM loads for all, and
	 * the others wait for that load.
	 */
	Arrival await(Seat seat) {
		Arrival arrival = seat.await(patience());
		if (arrival != null) {
			return arrival;
		}
		waited(seat);
		return seat.await();
	}

	/** The caller has waited for as long as it is to wait for another JVM. */
	void waited(Seat seat) {
		if (this.cache.settings().onWaitTimeout() == OnWaitTimeout.FAIL) {
			seat.land(new Arrival.TimedOut());
		}
		else {
			seat.hurry();
		}
	}

	/** Go aboard; false if the flight waits for this very thread. */
	boolean board(Place place, Seat seat) {
		return this.context.flights().board(this.cache, place.keys(), this.down, seat);
	}

	/**
	 * Return the value of an entry that has arrived, or {@code null} if it can't be read.
	 */
	@Nullable CachedValue<T> use(Place place, Arrival.WithEntry found) {
		Envelope envelope = found.envelope();
		LocalLevel level = place.level();
		if (level != null) {
			level.keep(place.sight(), place.keys().data(), envelope, place.stamp(),
					envelope.staleAtMillis() - this.context.time().millis());
		}
		return read(place.sight().epoch(), envelope, found.loaded() ? CacheEvent.SHARED : CacheEvent.HIT);
	}

	@SuppressWarnings({ "unchecked", "NullAway" }) // of the type that the specification
													// says
	private @Nullable CachedValue<T> read(long epoch, Envelope envelope, CacheEvent event) {
		T value;
		try {
			value = (T) this.cache.values().read(envelope);
		}
		catch (CodecException ex) {
			this.rejected = Envelope.mark(envelope.bytes());
			LocalLevel level = this.cache.level();
			if (level != null) {
				level.drop(keys(epoch).data());
			}
			return null;
		}
		boolean stale = this.cache.isStale(envelope, this.context.time());
		tell(stale ? CacheEvent.STALE_HIT : event);
		if (stale || this.cache.isDue(envelope, this.context.time())) {
			this.context.refreshes().start(this.cache, keys(epoch), Envelope.mark(envelope.bytes()), this.refresher);
		}
		return new CachedValue<>(value);
	}

	/**
	 * Hand a loaded value to those who wait for it; the reply tells when Redis has it.
	 */
	CompletableFuture<?> deliver(Lead lead, LoadRun<T> run, T value) {
		SealedEntry entry;
		try {
			entry = lead.mayStore() ? run.seal(value, lead.graceMillis(), this.context.time()) : null;
		}
		catch (RuntimeException | Error ex) {
			lead.leave();
			throw ex;
		}
		Envelope envelope = (entry != null) ? this.cache.open(entry.bytes()) : null;
		return (entry != null && envelope != null) ? lead.store(envelope, entry.lifeMillis()) : lead.share(value);
	}

	/**
	 * Return the value that has arrived, neither read nor to be loaded under a lease.
	 * @return the value, or {@code null} if the caller is to load for itself
	 * @throws Throwable what the loader of another has thrown, as it is
	 */
	@SuppressWarnings({ "unchecked", "NullAway", "TypeParameterUnusedInFormals" })
	<X extends Throwable> @Nullable CachedValue<T> end(Arrival arrival) throws X {
		if (arrival instanceof Arrival.WithValue shared) {
			tell(CacheEvent.SHARED);
			return new CachedValue<>((T) shared.value());
		}
		if (arrival instanceof Arrival.WithFailure shared) {
			throw (X) shared.failure();
		}
		if (arrival instanceof Arrival.Unavailable unavailable) {
			throw new CacheUnavailableException(this.cache.name(), this.key, unavailable.cause());
		}
		if (arrival instanceof Arrival.Interrupted interrupted) {
			throw new CacheInterruptedException(this.cache.name(), this.key, interrupted.cause());
		}
		if (arrival instanceof Arrival.TimedOut) {
			throw new CacheWaitTimeoutException(this.cache.name(), this.key, this.cache.settings().waitTimeout());
		}
		return null;
	}

	LoadRun<T> newRun(CacheTerms<T> terms) {
		return new LoadRun<>(this.cache, terms, this.context.events());
	}

	Duration patience() {
		return this.cache.settings().waitTimeout().plus(this.context.patience());
	}

	void tell(CacheEvent event) {
		this.context.events().tell(this.cache.name(), event);
	}

	/**
	 * Where the entry is looked for.
	 *
	 * @param sight epoch of the cache
	 * @param keys keys of the entry
	 * @param level copies of this JVM, or {@code null} if none are used
	 * @param stamp state of the copies before the entry is read
	 */
	record Place(Epochs.Sight sight, EntryKeys keys, @Nullable LocalLevel level, long stamp) {

	}

}
