package io.github.lockboot.sample.crowd;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import org.springframework.context.event.EventListener;
import org.springframework.resilience.retry.MethodRetryEvent;
import org.springframework.stereotype.Component;

/**
 * Counts how often this instance retried the calls of each run. A call belongs to the run
 * whose id is one of its arguments.
 */
@Component
class Retries {

	private final Map<String, LongAdder> runs = new ConcurrentHashMap<>();

	void begin(String run) {
		this.runs.put(run, new LongAdder());
	}

	/**
	 * Each failure of a call is an event. If no retry follows, one more event says so.
	 */
	@EventListener
	void onFailure(MethodRetryEvent failure) {
		Arrays.stream(failure.getSource().getArguments())
			.map(this.runs::get)
			.filter(Objects::nonNull)
			.forEach((count) -> count.add(failure.isRetryAborted() ? -1 : 1));
	}

	long end(String run) {
		LongAdder count = this.runs.remove(run);
		return (count != null) ? count.sum() : 0;
	}

}
