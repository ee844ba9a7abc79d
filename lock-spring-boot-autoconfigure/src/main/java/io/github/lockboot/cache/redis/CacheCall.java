package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.cache.CacheWaitTimeoutException;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;

/**
 * One caller on its way to a value. Runs on the caller's thread.
 *
 * @param <T> type of the value
 * @param <X> what the loader may throw
 */
final class CacheCall<T extends @Nullable Object, X extends Throwable> {

	private static final byte[] NOTHING = new byte[0];

	private final CacheContext context;

	private final TypedCache cache;

	private final String key;

	private final CacheLoader<T, X> loader;

	private byte[] rejected = NOTHING;

	private @Nullable Throwable down;

	CacheCall(CacheContext context, TypedCache cache, String key, CacheLoader<T, X> loader) {
		this.context = context;
		this.cache = cache;
		this.key = key;
		this.loader = loader;
	}

	T run() throws X {
		if (this.context.transactions().isChanging(this.cache.name(), this.key)) {
			return bypass();
		}
		if (this.context.pending().concerns(this.cache.name(), this.key)) {
			this.down = new IllegalStateException("Redis has not yet answered to an eviction of this entry");
		}
		CachedValue<T> found = look();
		while (found == null) {
			found = look();
		}
		return found.value();
	}

	/** Return the value, or {@code null} to look again. */
	private @Nullable CachedValue<T> look() throws X {
		Epochs.Sight sight = sight();
		LocalLevel level = (this.down == null) ? this.context.levelOf(this.cache) : null;
		Envelope copy = (level != null && sight.confirmation() == null) ? level.find(sight.epoch(), this.key) : null;
		if (copy != null) {
			return use(sight.epoch(), copy, CacheEvent.LOCAL_HIT);
		}
		EntryKeys keys = keys(sight.epoch());
		long stamp = (level != null) ? level.stamp(keys.data()) : 0;
		Seat seat = new Seat(this.context.view(sight.epoch()), this.rejected);
		if (!this.context.flights().board(this.cache, keys, this.down, seat)) {
			return new CachedValue<>(bypass());
		}
		Arrival arrival = seat.await(patience());
		if (arrival instanceof Arrival.ToLoad order) {
			return isCurrent(sight) ? new CachedValue<>(load(order.lead())) : leave(order.lead());
		}
		if (arrival instanceof Arrival.WithEntry found) {
			return isCurrent(sight) ? use(sight.epoch(), found, level, stamp) : null;
		}
		return new CachedValue<>(end(arrival));
	}

	private EntryKeys keys(long epoch) {
		return this.context.keys().entry(this.cache.name(), epoch, this.key);
	}

	private Epochs.Sight sight() {
		if (this.down == null) {
			try {
				return this.context.epochs().look(this.cache.name());
			}
			catch (CompletionException ex) {
				this.down = ex;
			}
		}
		return new Epochs.Sight(this.context.epochs().last(this.cache.name()), null);
	}

	/** What Redis says comes before what was asked for later; so this hardly waits. */
	private boolean isCurrent(Epochs.Sight sight) {
		try {
			return sight.isCurrent();
		}
		catch (CompletionException ex) {
			this.down = ex;
			return false;
		}
	}

	private static <T extends @Nullable Object> @Nullable CachedValue<T> leave(Lead lead) {
		lead.leave();
		return null;
	}

	private @Nullable CachedValue<T> use(long epoch, Arrival.WithEntry found, @Nullable LocalLevel level, long stamp) {
		Envelope envelope = found.envelope();
		if (level != null) {
			level.keep(epoch, keys(epoch).data(), envelope, stamp,
					envelope.staleAtMillis() - this.context.time().millis());
		}
		return use(epoch, envelope, found.loaded() ? CacheEvent.SHARED : CacheEvent.HIT);
	}

	@SuppressWarnings({ "unchecked", "NullAway" }) // of the type that the specification
													// says
	private @Nullable CachedValue<T> use(long epoch, Envelope envelope, CacheEvent event) {
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
			this.context.refreshes().start(this.cache, keys(epoch), envelope, this.loader);
		}
		return new CachedValue<>(value);
	}

	private T load(Lead lead) throws X {
		tell(lead.mayStore() ? CacheEvent.MISS : CacheEvent.BYPASS);
		LoadRun<T, X> run = new LoadRun<>(this.cache, this.loader, this.context.events());
		T value;
		lead.loading(Thread.currentThread());
		try {
			value = run.load();
		}
		catch (Throwable ex) {
			lead.fail(ex);
			throw ex;
		}
		finally {
			lead.loading(null);
		}
		deliver(lead, run, value);
		return value;
	}

	private void deliver(Lead lead, LoadRun<T, X> run, T value) {
		SealedEntry entry;
		try {
			entry = lead.mayStore() ? run.seal(value, lead.graceMillis(), this.context.time()) : null;
		}
		catch (RuntimeException | Error ex) {
			lead.leave();
			throw ex;
		}
		Envelope envelope = (entry != null) ? this.cache.open(entry.bytes()) : null;
		this.context
			.await((entry != null && envelope != null) ? lead.store(envelope, entry.lifeMillis()) : lead.share(value));
	}

	@SuppressWarnings({ "unchecked", "NullAway" }) // what others have loaded is of the
													// same type
	private T end(Arrival arrival) throws X {
		if (arrival instanceof Arrival.WithValue shared) {
			tell(CacheEvent.SHARED);
			return (T) shared.value();
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
		if (arrival instanceof Arrival.TimedOut && this.cache.settings().onWaitTimeout() == OnWaitTimeout.FAIL) {
			throw new CacheWaitTimeoutException(this.cache.name(), this.key, this.cache.settings().waitTimeout());
		}
		return bypass();
	}

	private T bypass() throws X {
		tell(CacheEvent.BYPASS);
		return new LoadRun<>(this.cache, this.loader, this.context.events()).load();
	}

	private Duration patience() {
		return this.cache.settings().waitTimeout().plus(this.context.patience());
	}

	private void tell(CacheEvent event) {
		this.context.events().tell(this.cache.name(), event);
	}

}
