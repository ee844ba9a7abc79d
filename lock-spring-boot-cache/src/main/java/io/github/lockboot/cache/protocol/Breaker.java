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

	private static final Failures CLOSED = new Failures(0, 0);

	private final AtomicReference<Failures> failures = new AtomicReference<>(CLOSED);

	/** Completes when the server has replied; present while the server is probed. */
	private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> recovery = new AtomicReference<>();

	private final MonotonicClock clock;

	Breaker(MonotonicClock clock) {
		this.clock = clock;
	}

	boolean isOpen() {
		return present().count >= LIMIT;
	}

	/** Close the breaker, and return whether it was open. */
	boolean succeeded() {
		return present() != CLOSED && this.failures.getAndSet(CLOSED).count >= LIMIT;
	}

	/** Count the failure of a command, and return whether it opens the breaker. */
	boolean failed(long sentNanos) {
		Failures present = present();
		while (present.isBefore(sentNanos)) {
			Failures counted = new Failures(present.count + 1, this.clock.nanoTime());
			if (this.failures.compareAndSet(present, counted)) {
				return counted.count == LIMIT;
			}
			present = present();
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

	private Failures present() {
		return Objects.requireNonNull(this.failures.get());
	}

	private record Failures(int count, long lastNanos) {

		boolean isBefore(long sentNanos) {
			return this.count == 0 || sentNanos - this.lastNanos >= 0;
		}

	}

}
