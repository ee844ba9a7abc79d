package io.github.lockboot.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;

/**
 * One daemon thread for any number of timers. Thread-safe.
 * <p>
 * Most timers are cancelled long before their time. Each that is scheduled as the
 * earliest of all would wake the thread for nothing, which costs more than the rest of an
 * uncontended acquisition; a heartbeat that is always due sooner prevents that.
 *
 * @since 1.0.0
 */
@Internal
public final class DaemonTimer implements AutoCloseable {

	private static final long HEARTBEAT_MILLIS = 200;

	private static final Log logger = LogFactory.getLog(DaemonTimer.class);

	private final String name;

	private final ScheduledThreadPoolExecutor executor;

	/** Starts the heartbeat, which runs five times a second and must not block. */
	public DaemonTimer(String name, Runnable beat) {
		this.name = name;
		this.executor = new ScheduledThreadPoolExecutor(1, new DaemonThreads(name));
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.executor.scheduleAtFixedRate(() -> run(beat), HEARTBEAT_MILLIS, HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
	}

	/**
	 * Runs a task once, which must not block. What it throws is logged.
	 * @return the way to cancel it; done already if this timer is closed
	 */
	public Future<?> schedule(long delayNanos, Runnable task) {
		try {
			return this.executor.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			return CompletableFuture.completedFuture(null); // closed
		}
	}

	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A timer of thread '" + this.name + "' failed", ex);
		}
	}

	/**
	 * End all timers. Nothing runs afterwards.
	 */
	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
