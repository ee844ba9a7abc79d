package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.redis.Approach.Place;

/**
 * One caller on its way to a value. Runs on the caller's thread.
 *
 * @param <T> type of the value
 * @param <X> what the loader may throw
 */
final class CacheCall<T extends @Nullable Object, X extends Throwable> {

	private final Approach<T> approach;

	private final CacheLoader<T, X> loader;

	CacheCall(Approach<T> approach, CacheLoader<T, X> loader) {
		this.approach = approach;
		this.loader = loader;
	}

	T run() throws X {
		return this.approach.isBarred() ? bypass() : end(look());
	}

	private T end(@Nullable CachedValue<T> found) throws X {
		CachedValue<T> end = found;
		while (end == null) {
			end = look();
		}
		return end.value();
	}

	/** Return the value, or {@code null} to look again. */
	private @Nullable CachedValue<T> look() throws X {
		Epochs.Sight sight = sight();
		CachedValue<T> copy = this.approach.copy(sight);
		if (copy != null) {
			return copy;
		}
		Place place = this.approach.place(sight);
		Seat seat = this.approach.seat(place);
		if (!this.approach.board(place, seat)) {
			return new CachedValue<>(bypass());
		}
		return arrive(place, this.approach.await(seat));
	}

	private Epochs.Sight sight() {
		if (!this.approach.isWithoutRedis()) {
			try {
				return this.approach.context().epochs().look(this.approach.cache().name());
			}
			catch (CompletionException ex) {
				this.approach.goWithoutRedis(ex);
			}
		}
		return this.approach.lastSight();
	}

	private @Nullable CachedValue<T> arrive(Place place, Arrival arrival) throws X {
		if (arrival instanceof Arrival.ToLoad order) {
			return isCurrent(place) ? new CachedValue<>(load(order.lead())) : leave(order.lead());
		}
		if (arrival instanceof Arrival.WithEntry found) {
			return isCurrent(place) ? this.approach.use(place, found) : null;
		}
		CachedValue<T> end = this.approach.<X>end(arrival);
		return (end != null) ? end : new CachedValue<>(bypass());
	}

	/** What Redis says comes before what was asked for later; so this hardly waits. */
	private boolean isCurrent(Place place) {
		try {
			return place.sight().isCurrent();
		}
		catch (CompletionException ex) {
			this.approach.goWithoutRedis(ex);
			return false;
		}
	}

	private static <T extends @Nullable Object> @Nullable CachedValue<T> leave(Lead lead) {
		lead.leave();
		return null;
	}

	private T load(Lead lead) throws X {
		this.approach.tell(lead.mayStore() ? CacheEvent.MISS : CacheEvent.BYPASS);
		LoadRun<T> run = this.approach.newRun(this.loader);
		T value;
		lead.loading(Thread.currentThread());
		try {
			value = run.load(this.loader::load);
		}
		catch (Throwable ex) {
			lead.fail(ex);
			throw ex;
		}
		finally {
			lead.loading(null);
		}
		this.approach.context().await(this.approach.deliver(lead, run, value));
		return value;
	}

	private T bypass() throws X {
		this.approach.tell(CacheEvent.BYPASS);
		return this.approach.newRun(this.loader).load(this.loader::load);
	}

}
