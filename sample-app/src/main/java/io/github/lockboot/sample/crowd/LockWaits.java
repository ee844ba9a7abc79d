package io.github.lockboot.sample.crowd;

import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.springframework.stereotype.Component;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * A lock listener that records how long this instance waited for the locks of each run. A
 * lock belongs to the run whose id is part of its name.
 */
@Component
class LockWaits implements LockListener {

	private final Map<String, Queue<Duration>> runs = new ConcurrentHashMap<>();

	void begin(String run) {
		this.runs.put(run, new ConcurrentLinkedQueue<>());
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		this.runs.forEach((run, waits) -> {
			if (request.name().contains(run)) {
				waits.add(waited);
			}
		});
	}

	WaitTimes end(String run) {
		Queue<Duration> waits = this.runs.remove(run);
		if (waits == null || waits.isEmpty()) {
			return WaitTimes.NONE;
		}
		LongSummaryStatistics micros = waits.stream().mapToLong((wait) -> wait.toNanos() / 1000).summaryStatistics();
		return new WaitTimes(micros.getCount(), WaitTimes.rounded(micros.getAverage() / 1000),
				WaitTimes.rounded(micros.getMax() / 1000.0));
	}

}
