package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * Fails replies that have not arrived when the command timeout ends. One timer serves all
 * replies and waits for the oldest one. If the timer is late, the JVM stood still, and
 * replies that arrived meanwhile are read first. Thread-safe.
 */
final class ReplyTimeouts {

	/** How late a timer is after a stop of the JVM, and how long to wait then. */
	private static final Duration STOPPED = Duration.ofMillis(100);

	private final MonotonicClock clock;

	private final Duration timeout;

	private final Map<CompletableFuture<?>, Long> deadlines = new ConcurrentHashMap<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	ReplyTimeouts(MonotonicClock clock, Duration timeout) {
		this.clock = clock;
		this.timeout = timeout;
	}

	/** Watch a reply from now on, until {@link #remove} is called. */
	void add(CompletableFuture<?> reply) {
		long deadline = this.clock.nanoTime() + this.timeout.toNanos();
		this.deadlines.put(reply, deadline);
		schedule(deadline);
	}

	void remove(CompletableFuture<?> reply) {
		this.deadlines.remove(reply);
	}

	/** Fail all replies, for which no timer will run any more. */
	void close() {
		this.deadlines.keySet().forEach((reply) -> reply.completeExceptionally(new RedisException("Closed")));
	}

	private void schedule(long deadline) {
		if (!this.scheduled.get() && this.scheduled.compareAndSet(false, true)) {
			scheduleAt(deadline);
		}
	}

	private void scheduleAt(long deadline) {
		this.clock.schedule(deadline, () -> {
			if (this.clock.nanoTime() - deadline < STOPPED.toNanos()) {
				failOverdue();
			}
			else {
				this.clock.schedule(STOPPED, this::failOverdue);
			}
		});
	}

	private void failOverdue() {
		long now = this.clock.nanoTime();
		this.deadlines.entrySet()
			.stream()
			.filter((deadline) -> deadline.getValue() - now <= 0)
			.sorted(Map.Entry.comparingByValue())
			.map(Map.Entry::getKey)
			.toList()
			.forEach((reply) -> {
				remove(reply);
				reply.completeExceptionally(new RedisCommandTimeoutException(
						"Redis did not answer within " + this.timeout.toMillis() + " ms"));
			});
		Optional<Long> next = earliest();
		if (next.isPresent()) {
			scheduleAt(next.get());
			return;
		}
		this.scheduled.set(false);
		// a reply that was added before that has not scheduled the timer
		earliest().ifPresent(this::schedule);
	}

	private Optional<Long> earliest() {
		return this.deadlines.values().stream().min(Comparator.naturalOrder());
	}

}
