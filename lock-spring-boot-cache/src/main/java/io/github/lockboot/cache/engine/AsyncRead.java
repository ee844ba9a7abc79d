package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.engine.EntryRead.Step;
import io.github.lockboot.concurrent.StageFailure;

/**
 * Reads an entry without blocking a thread. Code of the application runs on an executor,
 * never on a thread of Redis or of the timers.
 */
final class AsyncRead<T extends @Nullable Object> {

	private final EntryRead<T> read;

	private final AsyncCacheLoader<T> loader;

	private final Executor executor;

	private final CompletableFuture<T> result = new CompletableFuture<>();

	AsyncRead(EntryRead.Context context, TypedCache cache, String key, AsyncCacheLoader<T> loader, Executor executor) {
		this.read = new EntryRead<>(context, cache, key, new BlockingLoader<>(loader), context.flights().reader());
		this.loader = loader;
		this.executor = executor;
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
			this.executor.execute(() -> load(flight));
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
		}, this.executor);
	}

	private void load(@Nullable SingleFlight flight) {
		Load load = this.read.newLoad(flight);
		load.start(this.loader)
			.thenCompose((value) -> this.read.deliver(flight, load, value)
				.handleAsync((stored, failure) -> value, this.executor))
			.whenComplete((value, failure) -> StageFailure.pass(value, failure, this.result));
	}

	/**
	 * Loads the value on a thread of the cache, which may block.
	 */
	private record BlockingLoader<T extends @Nullable Object>(
			AsyncCacheLoader<T> loader) implements CacheLoader<T, Throwable> {

		@Override
		public T load() throws Throwable {
			try {
				return this.loader.load().toCompletableFuture().get();
			}
			catch (ExecutionException ex) {
				throw (ex.getCause() != null) ? ex.getCause() : ex;
			}
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
