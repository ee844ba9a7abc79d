package io.github.lockboot.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockLostException;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.Mutex;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

/**
 * Reports the {@link LockActivity} of an engine. The log remembers the last losses, and
 * the slowest renewal of the current minute and of the previous one. Thread-safe.
 */
final class ActivityLog {

	private static final int RECENT_LOSSES = 100;

	private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final MonotonicClock clock;

	private final BlockingDeque<LockActivity.Lost> losses = new LinkedBlockingDeque<>(RECENT_LOSSES);

	private final Mutex mutex = new Mutex();

	private long windowNanos;

	private LockActivity.@Nullable Renewal slowestNow;

	private LockActivity.@Nullable Renewal slowestBefore;

	ActivityLog(MonotonicClock clock) {
		this.clock = clock;
		this.windowNanos = clock.nanoTime();
	}

	void lost(Holder hold, LockLostException loss) {
		LockActivity.Lost lost = new LockActivity.Lost(hold.name(), hold.owner(), hold.handle().fencingToken(),
				threadName(hold.thread()), this.clock.wallTime(), millis(loss.held().toNanos()),
				String.valueOf(loss.getMessage()));
		while (!this.losses.offerFirst(lost)) {
			this.losses.pollLast();
		}
	}

	void renewed(LockAttempt renewed, long tookNanos) {
		this.mutex.run(() -> {
			moveWindow();
			if (this.slowestNow == null || tookNanos > this.slowestNow.took().toNanos()) {
				this.slowestNow = new LockActivity.Renewal(renewed.lock(), Duration.ofNanos(tookNanos),
						Duration.ofMillis(renewed.leaseMillis()));
			}
		});
	}

	private LockActivity.@Nullable Renewal slowestRenewal() {
		return this.mutex.get(() -> {
			moveWindow();
			LockActivity.Renewal now = this.slowestNow;
			LockActivity.Renewal before = this.slowestBefore;
			LockActivity.Renewal slowest = (now == null || (before != null && before.took().compareTo(now.took()) > 0))
					? before : now;
			return (slowest == null) ? null
					: new LockActivity.Renewal(slowest.name(), millis(slowest.took().toNanos()), slowest.lease());
		});
	}

	private void moveWindow() {
		long passed = (this.clock.nanoTime() - this.windowNanos) / WINDOW_NANOS;
		if (passed > 0) {
			this.slowestBefore = (passed == 1) ? this.slowestNow : null;
			this.slowestNow = null;
			this.windowNanos += passed * WINDOW_NANOS;
		}
	}

	LockActivity report(List<Holder> holds, List<Waiter> waiters) {
		long nowNanos = this.clock.nanoTime();
		Instant now = this.clock.wallTime();
		Map<String, Long> waitersByName = waiters.stream()
			.collect(Collectors.groupingBy((waiter) -> waiter.request().name(), Collectors.counting()));
		return new LockActivity(
				holds.stream()
					.sorted(Comparator.comparingLong((hold) -> hold.sinceNanos() - nowNanos))
					.map((hold) -> held(hold, nowNanos, now, waitersByName.getOrDefault(hold.name(), 0L)))
					.toList(),
				waiters.stream()
					.map(Waiter::call)
					.sorted(Comparator.comparingLong((call) -> call.startNanos() - nowNanos))
					.map((call) -> new LockActivity.Waiting(call.request().name(), threadName(call.thread()),
							now.minusNanos(nowNanos - call.startNanos())))
					.toList(),
				List.copyOf(this.losses), slowestRenewal());
	}

	private static LockActivity.Held held(Holder hold, long nowNanos, Instant now, long waiters) {
		Lease lease = hold.lease();
		long overdueNanos = hold.isRenewed() ? lease.overdueNanos(nowNanos) : 0;
		return new LockActivity.Held(hold.name(), hold.owner(), hold.handle().fencingToken(), threadName(hold.thread()),
				hold.request().reason(), hold.since(now, nowNanos), Duration.ofMillis(lease.attempt().leaseMillis()),
				millis(lease.remainingNanos(nowNanos)), millis(overdueNanos), waiters);
	}

	/** Return a duration in milliseconds, which are precise enough for a reader. */
	private static Duration millis(long nanos) {
		return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(nanos));
	}

	/**
	 * Return the name of a thread, or a substitute, since a virtual thread usually has no
	 * name.
	 */
	private static String threadName(Thread thread) {
		String name = thread.getName();
		return name.isEmpty() ? thread.toString() : name;
	}

}
