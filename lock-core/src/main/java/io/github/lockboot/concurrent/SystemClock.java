package io.github.lockboot.concurrent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;

/**
 * The clock of the JVM, with one daemon thread for any number of timers. A heartbeat
 * compares the clock with the wall clock to detect that the machine was suspended.
 * <p>
 * Most timers are cancelled long before their time. A timer that is the earliest of all
 * wakes the thread when it is scheduled, which costs more than the rest of an uncontended
 * acquisition; the heartbeat, which is always due sooner, prevents that.
 */
@Internal
public final class SystemClock implements MonotonicClock {

	private static final Log logger = LogFactory.getLog(SystemClock.class);

	private static final long HEARTBEAT_MILLIS = 200;

	/** The wall clock may be adjusted by less than this between two heartbeats. */
	private static final long SUSPENDED_MILLIS = 1000;

	private final String threadName;

	private final ScheduledThreadPoolExecutor executor;

	private final LongSupplier wallMillis;

	private final List<Runnable> suspensionTasks = new CopyOnWriteArrayList<>();

	/** How far the wall clock was ahead at the last heartbeat. */
	private volatile long aheadMillis;

	/** Start the clock, with a name for its thread. */
	public SystemClock(String threadName) {
		this(threadName, System::currentTimeMillis);
	}

	SystemClock(String threadName, LongSupplier wallMillis) {
		this.threadName = threadName;
		this.wallMillis = wallMillis;
		this.aheadMillis = aheadMillis();
		this.executor = new ScheduledThreadPoolExecutor(1, new DaemonThreads(threadName));
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.executor.scheduleAtFixedRate(() -> run(this::beat), HEARTBEAT_MILLIS, HEARTBEAT_MILLIS,
				TimeUnit.MILLISECONDS);
	}

	private void beat() {
		long aheadMillis = aheadMillis();
		if (aheadMillis - this.aheadMillis > SUSPENDED_MILLIS) {
			this.suspensionTasks.forEach(this::run);
		}
		this.aheadMillis = aheadMillis;
	}

	@Override
	public boolean wasJustSuspended() {
		return aheadMillis() - this.aheadMillis > SUSPENDED_MILLIS;
	}

	private long aheadMillis() {
		return this.wallMillis.getAsLong() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
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
			// closed
			return () -> {
			};
		}
	}

	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A timer of thread '" + this.threadName + "' failed", ex);
		}
	}

	@Override
	public void onSuspended(Runnable task) {
		this.suspensionTasks.add(task);
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
