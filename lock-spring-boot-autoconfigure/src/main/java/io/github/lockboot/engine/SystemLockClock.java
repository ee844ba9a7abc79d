package io.github.lockboot.engine;

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
 * The clock of the JVM, with one daemon thread for all timers.
 * <p>
 * Most timers are called off long before their time. Each that is scheduled as the
 * earliest of all would wake the thread for nothing, which costs more than the rest of an
 * uncontended acquisition; a heartbeat that is always due sooner prevents that. It also
 * compares the clock with the wall clock, which goes on while the machine stands still.
 *
 * @since 1.0.0
 */
@Internal
public final class SystemLockClock implements LockClock {

	private static final long HEARTBEAT_MILLIS = 200;

	/** What the wall clock may be ahead of ours between two beats for other reasons. */
	private static final long STANDSTILL_MILLIS = 1000;

	private static final Log logger = LogFactory.getLog(SystemLockClock.class);

	private static final Timer NEVER = () -> {
	};

	private final ScheduledThreadPoolExecutor executor;

	private final LongSupplier wallMillis;

	private final List<Runnable> standstillTasks = new CopyOnWriteArrayList<>();

	/**
	 * How far the wall clock was ahead at the last beat; used by the timer thread only.
	 */
	private long aheadMillis;

	/**
	 * Start the clock.
	 */
	public SystemLockClock() {
		this(System::currentTimeMillis);
	}

	SystemLockClock(LongSupplier wallMillis) {
		this.wallMillis = wallMillis;
		this.aheadMillis = aheadMillis();
		this.executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "lock-timer");
			thread.setDaemon(true);
			return thread;
		});
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.executor.scheduleAtFixedRate(() -> run(this::beat), HEARTBEAT_MILLIS, HEARTBEAT_MILLIS,
				TimeUnit.MILLISECONDS);
	}

	private void beat() {
		long before = this.aheadMillis;
		this.aheadMillis = aheadMillis();
		if (this.aheadMillis - before > STANDSTILL_MILLIS) {
			this.standstillTasks.forEach(SystemLockClock::run);
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
			return NEVER; // closed
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

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A timer of the lock engine failed", ex);
		}
	}

}
