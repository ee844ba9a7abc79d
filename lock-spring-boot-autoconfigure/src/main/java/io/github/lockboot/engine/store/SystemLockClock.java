package io.github.lockboot.engine.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.DaemonTimer;

/**
 * The clock of the JVM, with one daemon thread for all timers. At each beat of its heart
 * the timer compares the clock with the wall clock, which goes on while the machine
 * stands still.
 *
 * @since 1.0.0
 */
@Internal
public final class SystemLockClock implements LockClock {

	/** What the wall clock may be ahead of ours between two beats for other reasons. */
	private static final long STANDSTILL_MILLIS = 1000;

	private final DaemonTimer timer;

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
		this.timer = new DaemonTimer("lock-timer", this::beat);
	}

	private void beat() {
		long before = this.aheadMillis;
		this.aheadMillis = aheadMillis();
		if (this.aheadMillis - before > STANDSTILL_MILLIS) {
			this.standstillTasks.forEach((task) -> this.timer.schedule(0, task));
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
		Future<?> future = this.timer.schedule(atNanos - nanoTime(), task);
		return () -> future.cancel(false);
	}

	@Override
	public void onStandstill(Runnable task) {
		this.standstillTasks.add(task);
	}

	@Override
	public void close() {
		this.timer.close();
	}

}
