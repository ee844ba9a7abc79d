package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * Whose thread runs what, of an asynchronous call:
 * <ul>
 * <li>The thread of Redis and that of the timers run code of the cache only, which does
 * not block.</li>
 * <li>The executor of the application starts loads, and nothing else. If it rejects a
 * load, blocks, or has not started the load after a second, because it is full or shut
 * down, a thread {@code cache-load} does.</li>
 * <li>A thread {@code cache-result} decodes values, completes the futures, and so runs
 * the stages behind them, and changes entries after a method. If it waits, the pool
 * replaces it.</li>
 * </ul>
 * So neither a hit nor an evict needs a thread of the application.
 */
@Internal
public final class AsyncThreads {

	private static final Duration START_LIMIT = Duration.ofSeconds(1);

	private static final int MOST_LOADS = 16;

	private static final int RESULTS = Math.max(4, Runtime.getRuntime().availableProcessors());

	private final Executor results;

	private final Executor application;

	private final MonotonicClock clock;

	private final Executor loads;

	AsyncThreads(Executor application, Executor results, MonotonicClock clock) {
		this.application = application;
		this.results = results;
		this.clock = clock;
		this.loads = clock.workers("cache-load", MOST_LOADS);
	}

	/**
	 * Return threads that may run code of the application, and end when they are idle.
	 */
	public static Executor results() {
		return new ForkJoinPool(RESULTS, AsyncThreads::newThread, null, true);
	}

	private static ForkJoinWorkerThread newThread(ForkJoinPool pool) {
		ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
		thread.setName("cache-result");
		// the class loader of the JVM does not see the classes in the jar of an
		// application
		thread.setContextClassLoader(AsyncThreads.class.getClassLoader());
		return thread;
	}

	Executor forResults() {
		return this.results;
	}

	/** Start a load. The executor is not called here, since it may block its caller. */
	void load(Runnable load) {
		this.results.execute(() -> offer(new LoadTask(load)));
	}

	private void offer(LoadTask task) {
		task.limit = this.clock.schedule(START_LIMIT, () -> this.loads.execute(task));
		try {
			ForkJoinPool.managedBlock(task);
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			this.loads.execute(task);
		}
	}

	/** A load that the first of the threads that have it runs. */
	private final class LoadTask extends CompletableFuture<Void> implements Runnable, ForkJoinPool.ManagedBlocker {

		private final Runnable load;

		private volatile MonotonicClock.@Nullable Timer limit;

		private boolean offered;

		LoadTask(Runnable load) {
			this.load = load;
		}

		@Override
		@SuppressWarnings("NullAway") // a Void is always null
		public void run() {
			if (complete(null)) {
				MonotonicClock.Timer limit = this.limit;
				if (limit != null) {
					limit.cancel();
				}
				this.load.run();
			}
		}

		/** Called when the executor of Spring shuts down before the load has started. */
		@Override
		public boolean cancel(boolean interrupt) {
			AsyncThreads.this.loads.execute(this);
			return false;
		}

		@Override
		public boolean block() {
			this.offered = true;
			AsyncThreads.this.application.execute(this);
			return true;
		}

		@Override
		public boolean isReleasable() {
			return this.offered;
		}

	}

}
