package io.github.lockboot.concurrent;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.github.lockboot.Internal;

/**
 * Time, timers, randomness and threads, handed in so that a test can step them and a
 * simulation repeat them.
 */
@Internal
public interface MonotonicClock extends AutoCloseable {

	/** No time. */
	long NEVER = Long.MAX_VALUE;

	/** Return the time of a clock that only moves forward, since an arbitrary moment. */
	long nanoTime();

	/** Return the earlier one of two times, whose numbers may overflow. */
	static long earlier(long one, long other) {
		if (one == NEVER || other == NEVER) {
			return (one == NEVER) ? other : one;
		}
		return (one - other < 0) ? one : other;
	}

	/**
	 * Run a task once. The task must not block.
	 * @param atNanos when, in the time of {@link #nanoTime()}
	 */
	Timer schedule(long atNanos, Runnable task);

	/** Run a task once, after a delay. The task must not block. */
	default Timer schedule(Duration delay, Runnable task) {
		return schedule(nanoTime() + delay.toNanos(), task);
	}

	/** Let a reply fail after a time limit, and return the reply. */
	default <T> CompletableFuture<T> limit(CompletableFuture<T> reply, long limitNanos, Supplier<Exception> failure) {
		Timer limit = schedule(nanoTime() + limitNanos, () -> reply.completeExceptionally(failure.get()));
		reply.whenComplete((result, ex) -> limit.cancel());
		return reply;
	}

	/**
	 * Register a task that runs soon after the machine was suspended, as a virtual
	 * machine may be. {@link #nanoTime()} does not advance during that time, so that
	 * deadlines are too late. The task must not block.
	 */
	default void onSuspended(Runnable task) {
	}

	/**
	 * Return whether the machine was suspended after a time, or a moment before it. The
	 * registered tasks may not have run yet.
	 */
	default boolean wasSuspendedSince(long nanos) {
		return false;
	}

	/** Return the time of the wall clock, which is only shown to people. */
	default Instant wallTime() {
		return Instant.now();
	}

	/** Return the source of random numbers, for pauses. */
	default RandomGenerator random() {
		return ThreadLocalRandom.current();
	}

	/** Return at most {@code most} daemon threads for tasks that may block. */
	default Workers workers(String name, int most) {
		return new DaemonWorkers(name, most);
	}

	/**
	 * Do what follows a change, on the calling thread. In a simulation other threads may
	 * run first, as the scheduler of the operating system permits.
	 */
	default void proceed(Runnable rest) {
		rest.run();
	}

	/** End all timers. No task runs afterwards. */
	@Override
	void close();

	/** A task that waits for its time. */
	interface Timer {

		/**
		 * Cancel the task. This method does nothing if the task has run or is running.
		 */
		void cancel();

	}

	/** Threads that run tasks. They do not end with the clock. */
	interface Workers extends Executor, AutoCloseable {

		/** Let idle threads end. Later tasks still run. */
		@Override
		void close();

	}

}
