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
 * compares it with the wall clock, which goes on while the machine is suspended, to
 * detect that.
 * <p>
 * Most timers are cancelled long before their time. Each that is scheduled as the
 * earliest of all would wake the thread for nothing, which costs more than the rest of an
 * uncontended acquisition; the heartbeat, which is always due sooner, prevents that.
 *
 * @since 1.0.0
 */
@Internal
public final class SystemClock implements MonotonicClock {

	private static final Log logger = LogFactory.getLog(SystemClock.class);

	private static final long HEARTBEAT_MILLIS = 200;

	/** What the wall clock may be ahead of ours between two beats for other reasons. */
	private static final long STANDSTILL_MILLIS = 1000;

	private final String threadName;

	private final ScheduledThreadPoolExecutor executor;

	private final LongSupplier wallMillis;

	private final List<Runnable> standstillTasks = new CopyOnWriteArrayList<>();

	/**
	 * How far the wall clock was ahead at the last beat; used by the timer thread only.
	 */
	private long aheadMillis;

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
		long before = this.aheadMillis;
		this.aheadMillis = aheadMillis();
		if (this.aheadMillis - before > STANDSTILL_MILLIS) {
			this.standstillTasks.forEach((task) -> schedule(nanoTime(), task));
		}
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
	public void onStandstill(Runnable task) {
		this.standstillTasks.add(task);
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
