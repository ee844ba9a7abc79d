package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.redis.EntryRead.Step;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;

/**
 * Reads an entry without blocking a thread. Goes on with an executor once the caller has
 * its future: code of the application must not run on a thread of Redis or of the timers.
 *
 * @param <T> type of the value
 */
final class AsyncRead<T extends @Nullable Object> {

	private final CacheContext context;

	private final EntryRead<T> read;

	private final AsyncCacheLoader<T> loader;

	private final Executor executor;

	private final CompletableFuture<T> result = new CompletableFuture<>();

	AsyncRead(CacheContext context, TypedCache cache, String key, AsyncCacheLoader<T> loader, Executor executor) {
		this.context = context;
		this.read = new EntryRead<>(context, cache, key, new BlockingLoader<>(loader), context.reads()::read);
		this.loader = loader;
		this.executor = executor;
	}

	CompletableFuture<T> run() {
		goOn(this.read.start());
		return this.result;
	}

	private void goOn(Step<T> first) {
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
			Waiter.ToLoad order = ((Step.Load<T>) step).order();
			this.executor.execute(() -> load(order));
		}
	}

	private void await(Step.Wait<T> wait) {
		Waiter waiter = wait.waiter();
		if (waiter != null) {
			MonotonicClock.Timer limit = this.context.clock()
				.schedule(this.read.patience(), () -> this.read.timeOut(waiter));
			waiter.outcome().thenRun(limit::cancel);
		}
		wait.reply().whenCompleteAsync((reply, failure) -> {
			try {
				goOn(wait.next().get());
			}
			catch (RuntimeException | Error ex) {
				this.result.completeExceptionally(ex);
			}
		}, this.executor);
	}

	private void load(Waiter.@Nullable ToLoad order) {
		this.read.tellLoad(order);
		LoadRun<T> run = new LoadRun<>(this.read.cache(), this.loader, this.context.events());
		CompletableFuture<T> loaded = this.context.flights()
			.load((order != null) ? List.of(order.flight()) : List.of(), () -> run.begin(this.loader));
		loaded.whenComplete((value, failure) -> {
			if (failure != null && order != null) {
				order.flight().fail(order.lease(), StageFailure.cause(failure));
			}
		})
			.thenCompose((value) -> (order != null)
					? this.read.deliver(order, run, value).handleAsync((stored, failure) -> value, this.executor)
					: CompletableFuture.completedFuture(value))
			.whenComplete((value, failure) -> {
				if (failure != null) {
					this.result.completeExceptionally(StageFailure.cause(failure));
				}
				else {
					this.result.complete(value);
				}
			});
	}

	/**
	 * Loads on a thread of the cache, which has nothing to do but to wait.
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
