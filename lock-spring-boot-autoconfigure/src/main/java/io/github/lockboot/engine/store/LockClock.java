package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;

/**
 * Time and timers of the engine, handed in so that a test can step them.
 *
 * @since 1.0.0
 */
@Internal
public interface LockClock extends AutoCloseable {

	/**
	 * Return the time of a clock that only moves forward.
	 * @return nanoseconds since an arbitrary moment
	 */
	long nanoTime();

	/**
	 * Run a task once. The task must not block.
	 * @param atNanos when, in the time of {@link #nanoTime()}
	 * @param task what to run
	 * @return the way to call it off
	 */
	Timer schedule(long atNanos, Runnable task);

	/**
	 * Register a task that runs after the machine was suspended, as a virtual machine may
	 * be. {@link #nanoTime()} stands still meanwhile, so deadlines lie later than they
	 * should.
	 * @param task runs soon after each suspension; must not block
	 */
	void onStandstill(Runnable task);

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
