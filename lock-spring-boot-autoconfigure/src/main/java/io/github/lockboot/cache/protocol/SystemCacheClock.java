package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.Future;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.DaemonTimer;

/**
 * The clock of the JVM, with one daemon thread for all timers.
 *
 * @since 1.0.0
 */
@Internal
public final class SystemCacheClock implements CacheClock {

	private final DaemonTimer timer = new DaemonTimer("cache-timer", () -> {
	});

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public Timer schedule(Duration delay, Runnable task) {
		Future<?> future = this.timer.schedule(delay.toNanos(), task);
		return () -> future.cancel(false);
	}

	@Override
	public void close() {
		this.timer.close();
	}

}
