package io.github.lockboot.cache.redis;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.protocol.RedisTime;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;

/**
 * A load that is to run on another thread than that of the caller which has brought it
 * about. Made on the latter.
 *
 * @param <T> type of the value
 */
final class Refresh<T extends @Nullable Object> {

	private final TypedCache cache;

	private final CacheLoader<T, ?> loader;

	private final CompletableFuture<Runnable> body = new CompletableFuture<>();

	private final Runnable task;

	Refresh(TypedCache cache, CacheLoader<T, ?> loader, UnaryOperator<Runnable> wrapping) {
		this.cache = cache;
		this.loader = loader;
		this.task = wrapping.apply(() -> this.body.join().run());
	}

	TypedCache cache() {
		return this.cache;
	}

	/**
	 * Load.
	 * @return the entry, or nothing if the value is not to be stored
	 */
	CompletableFuture<Optional<SealedEntry>> run(Executor executor, CacheEvents events, long graceMillis,
			Supplier<RedisTime> time) {
		LoadRun<T> run = new LoadRun<>(this.cache, this.loader, events);
		CompletableFuture<Optional<SealedEntry>> end = new CompletableFuture<>();
		this.body.complete(() -> {
			try {
				T value = run.load(this.loader::load);
				end.complete(Optional.ofNullable(run.seal(value, graceMillis, time.get())));
			}
			catch (Throwable ex) {
				end.completeExceptionally(ex);
			}
		});
		try {
			executor.execute(() -> runTask(end));
		}
		catch (RejectedExecutionException ex) {
			end.completeExceptionally(ex);
		}
		return end;
	}

	/**
	 * What the load is wrapped in may fail before it; the lease is given back then too.
	 */
	private void runTask(CompletableFuture<?> end) {
		try {
			this.task.run();
			end.completeExceptionally(new IllegalStateException("What the load is wrapped in has not run it"));
		}
		catch (Throwable ex) {
			end.completeExceptionally(ex);
		}
	}

}
