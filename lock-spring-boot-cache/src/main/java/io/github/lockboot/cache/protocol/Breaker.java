package io.github.lockboot.cache.protocol;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The circuit breaker of a server. Opens after three failures in a row: no command is
 * sent until the server, or the one that replaces it, has replied to a probe. Commands
 * that were in progress together fail together, which counts as one failure. Thread-safe.
 */
final class Breaker {

	private static final int LIMIT = 3;

	private static final State CLOSED = new State(0, 0);

	private final AtomicReference<State> state = new AtomicReference<>(CLOSED);

	/** Completes when the server has replied; present while the server is probed. */
	private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> recovery = new AtomicReference<>();

	private final MonotonicClock clock;

	Breaker(MonotonicClock clock) {
		this.clock = clock;
	}

	boolean isOpen() {
		return state().failures >= LIMIT;
	}

	/** Close the breaker, and return whether it was open. */
	boolean succeeded() {
		return state() != CLOSED && this.state.getAndSet(CLOSED).failures >= LIMIT;
	}

	/** Count the failure of a command, and return whether it opens the breaker. */
	boolean failed(long sentNanos) {
		State present = state();
		while (present.isBefore(sentNanos)) {
			State counted = new State(present.failures + 1, this.clock.nanoTime());
			if (this.state.compareAndSet(present, counted)) {
				return counted.failures == LIMIT;
			}
			present = state();
		}
		return false;
	}

	/**
	 * Return a future that completes when the server has replied to a probe.
	 * @param probe starts to probe the server, called unless a probe is in progress
	 */
	CompletableFuture<@Nullable Void> recovery(Runnable probe) {
		CompletableFuture<@Nullable Void> mine = new CompletableFuture<>();
		CompletableFuture<@Nullable Void> present = this.recovery.compareAndExchange(null, mine);
		if (present != null) {
			return present;
		}
		probe.run();
		return mine;
	}

	/** Close the breaker, since the server has replied to a probe. */
	void recovered() {
		CompletableFuture<@Nullable Void> ended = this.recovery.getAndSet(null);
		if (ended != null) {
			ended.complete(null);
		}
	}

	private State state() {
		return Objects.requireNonNull(this.state.get());
	}

	/**
	 * The failures in a row, and when the last failure was counted.
	 */
	private record State(int failures, long failedNanos) {

		boolean isBefore(long sentNanos) {
			return this.failures == 0 || sentNanos - this.failedNanos >= 0;
		}

	}

}
