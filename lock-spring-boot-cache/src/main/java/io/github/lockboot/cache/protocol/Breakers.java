package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * A circuit breaker for each server, so that a server that fails does not stop commands
 * to others. Thread-safe.
 */
final class Breakers {

	private final Map<String, Breaker> byServer = new ConcurrentHashMap<>();

	private final MonotonicClock clock;

	private final Duration pause;

	/** The servers at the last call of {@link #removeOthers}. */
	private volatile @Nullable Set<String> present;

	Breakers(MonotonicClock clock, Duration pause) {
		this.clock = clock;
		this.pause = pause;
	}

	/** Return the breaker of a server. The name is empty while the server is unknown. */
	Breaker of(String server) {
		Breaker known = this.byServer.get(server);
		return (known != null) ? known : Objects
			.requireNonNull(this.byServer.computeIfAbsent(server, (name) -> new Breaker(this.clock, this.pause)));
	}

	/**
	 * Remove the breakers of servers that no longer exist and will never reply. Commands
	 * in progress there fail together, which is one failure and opens no breaker.
	 * @param server a server that has just replied
	 * @param present returns all servers, the same object until they change
	 * @return for each removed breaker, whether it was open
	 */
	List<Boolean> removeOthers(String server, Supplier<Set<String>> present) {
		if (this.byServer.size() == 1) {
			return List.of();
		}
		Set<String> servers = present.get();
		if (servers == this.present) {
			return List.of();
		}
		this.present = servers;
		return this.byServer.keySet()
			.stream()
			.filter((name) -> !name.equals(server) && !servers.contains(name))
			.map(this.byServer::remove)
			.filter(Objects::nonNull)
			.map(Breaker::succeeded)
			.toList();
	}

	/**
	 * Opens after three failures in a row: no command is sent during the pause, then one
	 * call tries. Commands that were in progress together fail together, which counts as
	 * one failure. Thread-safe.
	 */
	static final class Breaker {

		private static final int LIMIT = 3;

		private static final State CLOSED = new State(0, 0, 0);

		private final AtomicReference<State> state = new AtomicReference<>(CLOSED);

		private final MonotonicClock clock;

		private final long pauseNanos;

		Breaker(MonotonicClock clock, Duration pause) {
			this.clock = clock;
			this.pauseNanos = pause.toNanos();
		}

		/**
		 * Return whether to send a command; the caller then has to report the outcome.
		 */
		boolean allows() {
			State present = state();
			if (present.failures < LIMIT) {
				return true;
			}
			long now = this.clock.nanoTime();
			return now - present.openUntilNanos >= 0 && this.state.compareAndSet(present,
					new State(present.failures, present.failedNanos, now + this.pauseNanos));
		}

		/** Close the breaker, and return whether it was open. */
		boolean succeeded() {
			return state() != CLOSED && this.state.getAndSet(CLOSED).failures >= LIMIT;
		}

		/** Count the failure of a command, and return whether it opens the breaker. */
		boolean failed(long sentNanos) {
			long now = this.clock.nanoTime();
			State present = state();
			while (present.isBefore(sentNanos)) {
				int failures = present.failures + 1;
				State counted = new State(failures, now,
						(failures <= LIMIT) ? now + this.pauseNanos : present.openUntilNanos);
				if (this.state.compareAndSet(present, counted)) {
					return failures == LIMIT;
				}
				present = state();
			}
			return false;
		}

		private State state() {
			return Objects.requireNonNull(this.state.get());
		}

		/**
		 * The failures in a row.
		 *
		 * @param failedNanos when the last one was counted
		 * @param openUntilNanos when the pause ends, if there are enough of them
		 */
		private record State(int failures, long failedNanos, long openUntilNanos) {

			boolean isBefore(long sentNanos) {
				return this.failures == 0 || sentNanos - this.failedNanos >= 0;
			}

		}

	}

}
