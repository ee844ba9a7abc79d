package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

import org.springframework.util.Assert;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * A clock that advances only when a test moves it. Timers run on the thread that moves
 * it, each at its own time.
 */
public class SteppedClock implements MonotonicClock {

	private static final int MOST_TIMERS = 100_000;

	private final NavigableSet<Entry> timers = new ConcurrentSkipListSet<>(
			Comparator.comparingLong((Entry entry) -> entry.atNanos).thenComparingLong((entry) -> entry.number));

	private final List<Runnable> suspensionTasks = new ArrayList<>();

	/** As of a JVM whose time is not near zero. */
	private long nowNanos = 1_000_000 - TimeUnit.DAYS.toNanos(100);

	private long numbers;

	private long suspendedNanos = this.nowNanos;

	@Override
	public long nanoTime() {
		return this.nowNanos;
	}

	@Override
	public Timer schedule(long atNanos, Runnable task) {
		Entry entry = new Entry(atNanos, this.numbers++, task);
		this.timers.add(entry);
		return () -> this.timers.remove(entry);
	}

	/** Advance, and run the timers that become due. */
	public void advance(Duration time) {
		long targetNanos = this.nowNanos + time.toNanos();
		for (int ran = 0; !this.timers.isEmpty() && this.timers.first().atNanos <= targetNanos; ran++) {
			Assert.state(ran < MOST_TIMERS, "The timers never end");
			Entry entry = this.timers.pollFirst();
			this.nowNanos = Math.max(this.nowNanos, entry.atNanos);
			entry.task.run();
		}
		this.nowNanos = targetNanos;
	}

	/** Advance without running timers, like a suspended JVM. */
	public void jump(Duration time) {
		this.nowNanos += time.toNanos();
	}

	/** Return the time until the next timer. */
	public Duration untilNext() {
		return Duration.ofNanos(Math.max(0, this.timers.first().atNanos - this.nowNanos));
	}

	/** Return the number of pending timers. */
	public int pending() {
		return this.timers.size();
	}

	@Override
	public void onSuspended(Runnable task) {
		this.suspensionTasks.add(task);
	}

	@Override
	public boolean wasSuspendedSince(long nanos) {
		return nanos - this.suspendedNanos < 0;
	}

	/**
	 * Behave as a machine that was suspended, before this is reported.
	 */
	public void standStill() {
		this.suspendedNanos = ++this.nowNanos;
	}

	/**
	 * Behave like a machine that was suspended.
	 */
	public void suspend() {
		standStill();
		this.suspensionTasks.forEach(Runnable::run);
	}

	@Override
	public void close() {
		this.timers.clear();
	}

	private record Entry(long atNanos, long number, Runnable task) {

	}

}
