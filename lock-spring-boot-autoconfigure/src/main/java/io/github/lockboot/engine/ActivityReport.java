package io.github.lockboot.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockActivity;

/**
 * Collects what the queues are about into a {@link LockActivity}. Used by one thread.
 */
final class ActivityReport {

	private final long nowNanos;

	private final Instant now = Instant.now();

	private final List<Hold> holds = new ArrayList<>();

	private final List<Waiter> waiters = new ArrayList<>();

	ActivityReport(long nowNanos) {
		this.nowNanos = nowNanos;
	}

	void add(Hold hold) {
		this.holds.add(hold);
	}

	void add(Waiter waiter) {
		this.waiters.add(waiter);
	}

	/**
	 * Write the report.
	 */
	LockActivity complete(List<LockActivity.Lost> lost, LockActivity.@Nullable Renewal slowestRenewal) {
		List<LockActivity.Waiting> waiting = this.waiters.stream()
			.sorted(Comparator.comparingLong((waiter) -> waiter.call().startNanos() - this.nowNanos))
			.map(this::waiting)
			.toList();
		Map<String, Long> waitersByName = this.waiters.stream()
			.collect(Collectors.groupingBy((waiter) -> waiter.request().name(), Collectors.counting()));
		List<LockActivity.Held> held = this.holds.stream()
			.sorted(Comparator.comparingLong((hold) -> hold.sinceNanos() - this.nowNanos))
			.map((hold) -> held(hold, waitersByName.getOrDefault(hold.name(), 0L)))
			.toList();
		return new LockActivity(held, waiting, lost, slowestRenewal);
	}

	private LockActivity.Waiting waiting(Waiter waiter) {
		return new LockActivity.Waiting(waiter.request().name(), threadName(waiter.call().thread()),
				instant(waiter.call().startNanos()));
	}

	private LockActivity.Held held(Hold hold, long waiters) {
		Lease lease = hold.lease();
		long overdue = hold.isRenewed() ? lease.overdueNanos(this.nowNanos) : 0;
		return new LockActivity.Held(hold.name(), hold.owner(), hold.fencingToken(), threadName(hold.thread()),
				instant(hold.sinceNanos()), Duration.ofMillis(lease.attempt().leaseMillis()),
				Duration.ofNanos(lease.remainingNanos(this.nowNanos)), Duration.ofNanos(overdue), waiters);
	}

	/** A virtual thread usually has no name of its own. */
	static String threadName(Thread thread) {
		String name = thread.getName();
		return name.isEmpty() ? thread.toString() : name;
	}

	private Instant instant(long nanos) {
		return this.now.minusNanos(this.nowNanos - nanos);
	}

}
