package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;
import io.github.lockboot.redis.transport.DaemonThreads;

/**
 * The clock of the JVM, with one daemon thread for all timers. A heartbeat that is due
 * sooner than most timers spares the thread to wake up for each that is called off.
 *
 * @since 1.0.0
 */
@Internal
public final class SystemCacheClock implements CacheClock {

	private static final long HEARTBEAT_MILLIS = 200;

	private static final Log logger = LogFactory.getLog(SystemCacheClock.class);

	private static final Timer NEVER = () -> {
	};

	private final ScheduledThreadPoolExecutor executor;

	/**
	 * Start the clock.
	 */
	public SystemCacheClock() {
		this.executor = new ScheduledThreadPoolExecutor(1, new DaemonThreads("cache-timer"));
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.executor.scheduleAtFixedRate(() -> {
		}, 0, HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
	}

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public Timer schedule(Duration delay, Runnable task) {
		try {
			Future<?> future = this.executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
			return () -> future.cancel(false);
		}
		catch (RejectedExecutionException ex) {
			return NEVER; // closed
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A timer of the cache failed", ex);
		}
	}

}
