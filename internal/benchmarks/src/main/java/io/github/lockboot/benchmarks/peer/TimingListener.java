package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Does the same work as the metrics at each event: finds the meter by event and group,
 * counts, and adds up times.
 */
final class TimingListener implements LockListener {

	private final ConcurrentMap<String, Meter> waits = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, Meter> holds = new ConcurrentHashMap<>();

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		meter(this.waits, request).record(waited);
	}

	@Override
	public void onReleased(LockRequest request, LockHandle handle, Duration held) {
		meter(this.holds, request).record(held);
	}

	private static Meter meter(ConcurrentMap<String, Meter> meters, LockRequest request) {
		String group = (request.group() != null) ? request.group() : "none";
		return meters.computeIfAbsent(group, (name) -> new Meter(new LongAdder(), new LongAdder()));
	}

	private record Meter(LongAdder count, LongAdder nanos) {

		void record(Duration time) {
			this.count.increment();
			this.nanos.add(time.toNanos());
		}

	}

}
