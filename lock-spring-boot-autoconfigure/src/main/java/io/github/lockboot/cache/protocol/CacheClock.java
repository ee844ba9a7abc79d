package io.github.lockboot.cache.protocol;

import java.time.Duration;

import io.github.lockboot.Internal;

/**
 * Time and timers of the cache, handed in so that a test can step them.
 *
 * @since 1.0.0
 */
@Internal
public interface CacheClock extends AutoCloseable {

	/**
	 * Return the time of a clock that only moves forward.
	 * @return nanoseconds since an arbitrary moment
	 */
	long nanoTime();

	/**
	 * Run a task once. The task must not block.
	 * @param delay how long to wait before
	 * @param task what to run
	 * @return the way to call it off
	 */
	Timer schedule(Duration delay, Runnable task);

	/**
	 * End all timers. Nothing runs afterwards.
	 */
	@Override
	void close();

	/**
	 * A task that waits for its time.
	 */
	interface Timer {

		/**
		 * Call the task off. Does nothing if it ran or runs.
		 */
		void cancel();

	}

}
