package io.github.lockboot.engine;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;

/**
 * The clock of the JVM, with one daemon thread for all timers.
 * <p>
 * Most timers are called off long before their time. Each that is scheduled as the
 * earliest of all would wake the thread for nothing, which costs more than the rest of an
 * uncontended acquisition; a heartbeat that is always due sooner prevents that.
 *
 * @since 1.0.0
 */
@Internal
public final class SystemLockClock implements LockClock {

	private static final long HEARTBEAT_MILLIS = 200;

	private static final Log logger = LogFactory.getLog(SystemLockClock.class);

	private static final Timer NEVER = () -> {
	};

	private final ScheduledThreadPoolExecutor executor;

	/**
	 * Start the clock.
	 */
	public SystemLockClock() {
		this.executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "lock-timer");
			thread.setDaemon(true);
			return thread;
		});
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
	public Timer schedule(long atNanos, Runnable task) {
		try {
			Future<?> future = this.executor.schedule(() -> run(task), atNanos - nanoTime(), TimeUnit.NANOSECONDS);
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
			logger.error("A timer of the lock engine failed", ex);
		}
	}

}
