package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.protocol.CacheClock;
import io.github.lockboot.cache.redis.Approach.Place;
import io.github.lockboot.concurrent.StageFailure;

/**
 * One caller on its way to a value that blocks no thread. Runs on an executor, once the
 * caller has its future.
 *
 * @param <T> type of the value
 */
final class AsyncCacheCall<T extends @Nullable Object> {

	private final Approach<T> approach;

	private final AsyncCacheLoader<T> loader;

	private final Executor executor;

	AsyncCacheCall(Approach<T> approach, AsyncCacheLoader<T> loader, Executor executor) {
		this.approach = approach;
		this.loader = loader;
		this.executor = executor;
	}

	CompletableFuture<T> run() {
		CompletableFuture<T> result = new CompletableFuture<>();
		CompletableFuture<T> found = this.approach.isBarred()
				? CompletableFuture.completedFuture(this.approach).thenComposeAsync((none) -> bypass(), this.executor)
				: look();
		found.whenComplete((value, failure) -> {
			if (failure != null) {
				result.completeExceptionally(StageFailure.cause(failure));
			}
			else {
				result.complete(value);
			}
		});
		return result;
	}

	private CompletableFuture<T> look() {
		return sight().thenCompose((sight) -> {
			CachedValue<T> copy = this.approach.copy(sight);
			return (copy != null) ? CompletableFuture.completedFuture(copy.value()) : board(this.approach.place(sight));
		});
	}

	private CompletableFuture<Epochs.Sight> sight() {
		if (this.approach.isWithoutRedis()) {
			return CompletableFuture.completedFuture(this.approach.lastSight());
		}
		return this.approach.context().epochs().lookAsync(this.approach.cache().name()).exceptionally((failure) -> {
			this.approach.goWithoutRedis(failure);
			return this.approach.lastSight();
		});
	}

	private CompletableFuture<T> board(Place place) {
		Seat seat = this.approach.seat(place);
		CacheClock.Timer limit = this.approach.context()
			.flights()
			.clock()
			.schedule(this.approach.patience(), () -> this.approach.waited(seat));
		CompletableFuture<Arrival> arrival = seat.arrival();
		arrival.whenComplete((outcome, failure) -> limit.cancel());
		if (!this.approach.board(place, seat)) {
			seat.land(new Arrival.ToBypass());
		}
		// code of the application must not run on a thread of Redis or of the timers
		return arrival.thenComposeAsync((outcome) -> arrive(place, outcome), this.executor);
	}

	private CompletableFuture<T> arrive(Place place, Arrival arrival) {
		if (arrival instanceof Arrival.ToLoad order) {
			return ifCurrent(place, () -> load(order.lead()), () -> leave(order.lead()));
		}
		if (arrival instanceof Arrival.WithEntry found) {
			return ifCurrent(place, () -> use(place, found), this::look);
		}
		CachedValue<T> end;
		try {
			end = this.approach.<Throwable>end(arrival);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return (end != null) ? CompletableFuture.completedFuture(end.value()) : bypass();
	}

	private CompletableFuture<T> ifCurrent(Place place, Supplier<CompletableFuture<T>> then,
			Supplier<CompletableFuture<T>> otherwise) {
		CompletableFuture<Boolean> confirmed = place.sight().confirm().exceptionally((failure) -> {
			this.approach.goWithoutRedis(failure);
			return false;
		});
		Function<Boolean, CompletableFuture<T>> next = (current) -> current ? then.get() : otherwise.get();
		return confirmed.isDone() ? next.apply(confirmed.join()) : confirmed.thenComposeAsync(next, this.executor);
	}

	private CompletableFuture<T> use(Place place, Arrival.WithEntry found) {
		CachedValue<T> value = this.approach.use(place, found);
		return (value != null) ? CompletableFuture.completedFuture(value.value()) : look();
	}

	private CompletableFuture<T> leave(Lead lead) {
		lead.leave();
		return look();
	}

	private CompletableFuture<T> load(Lead lead) {
		this.approach.tell(lead.mayStore() ? CacheEvent.MISS : CacheEvent.BYPASS);
		LoadRun<T> run = this.approach.newRun(this.loader);
		CompletableFuture<T> loaded = run.begin(this.loader);
		loaded.whenComplete((value, failure) -> {
			if (failure != null) {
				lead.fail(StageFailure.cause(failure));
			}
		});
		return loaded.thenCompose((value) -> this.approach.deliver(lead, run, value)
			.handleAsync((stored, failure) -> value, this.executor));
	}

	private CompletableFuture<T> bypass() {
		this.approach.tell(CacheEvent.BYPASS);
		return this.approach.newRun(this.loader).begin(this.loader);
	}

}
