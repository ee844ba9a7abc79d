package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.engine.EntryRead.Step;
import io.github.lockboot.cache.engine.TypedCache.KeyedLoader;
import io.github.lockboot.cache.key.KeyEncoder;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.StageFailure;

/**
 * Reads an entry without blocking a thread.
 */
final class AsyncRead<T extends @Nullable Object> {

	private final EntryRead<T> read;

	private final KeyedLoader<T> keyed;

	private final AsyncCacheLoader<T> loader;

	private final AsyncThreads threads;

	private final CompletableFuture<T> result = new CompletableFuture<>();

	AsyncRead(EntryRead.Context context, TypedCache cache, Object key, AsyncCacheLoader<T> loader,
			AsyncThreads threads) {
		String text = KeyEncoder.of(cache.name(), key);
		this.keyed = new KeyedLoader<>(cache, key, text, new BlockingLoader<>(loader));
		this.read = new EntryRead<>(context, cache, text, this.keyed, context.flights().reader());
		this.loader = loader;
		this.threads = threads;
	}

	CompletableFuture<T> run() {
		proceed(this.read.start());
		return this.result;
	}

	private void proceed(Step<T> first) {
		Step<T> step = first;
		while (step instanceof Step.Wait<T> wait) {
			if (!wait.reply().isDone()) {
				await(wait);
				return;
			}
			step = wait.next().get();
		}
		if (step instanceof Step.Done<T> done) {
			this.result.complete(done.value());
		}
		else if (step instanceof Step.Failed<T> failed) {
			this.result.completeExceptionally(failed.failure());
		}
		else {
			SingleFlight flight = step.flight();
			this.threads.load(() -> load(flight));
		}
	}

	private void await(Step.Wait<T> wait) {
		SingleFlight.Caller caller = wait.caller();
		if (caller != null) {
			this.read.limit(caller);
		}
		wait.reply().whenCompleteAsync((reply, failure) -> {
			try {
				proceed(wait.next().get());
			}
			catch (RuntimeException | Error ex) {
				this.result.completeExceptionally(ex);
			}
		}, this.threads.forResults());
	}

	private void load(@Nullable SingleFlight given) {
		SingleFlight flight = unlessChanged(given);
		Load load = this.read.newLoad(flight);
		load.start(this.loader)
			.thenCompose((value) -> this.read.deliver(unlessChanged(flight), load, value)
				.handleAsync((stored, failure) -> value, this.threads.forResults()))
			.whenComplete((value, failure) -> StageFailure.pass(value, failure, this.result));
	}

	/** Return the flight, or leave it if the value is not that of its entry. */
	private @Nullable SingleFlight unlessChanged(@Nullable SingleFlight flight) {
		if (flight == null || !this.keyed.hasAnotherKey()) {
			return flight;
		}
		flight.leave();
		return null;
	}

	/**
	 * Loads the value on a thread of the cache, which may block.
	 */
	private record BlockingLoader<T extends @Nullable Object>(
			AsyncCacheLoader<T> loader) implements CacheLoader<T, Throwable> {

		@Override
		public T load() throws Throwable {
			try {
				return FutureWait.get(this.loader.load().toCompletableFuture());
			}
			catch (ExecutionException ex) {
				throw (ex.getCause() != null) ? ex.getCause() : ex;
			}
		}

		@Override
		public Object keyNow(Object key) {
			return this.loader.keyNow(key);
		}

		@Override
		public boolean isStorable(T value) {
			return this.loader.isStorable(value);
		}

		@Override
		public @Nullable Duration ttlOf(T value) {
			return this.loader.ttlOf(value);
		}

	}

}
