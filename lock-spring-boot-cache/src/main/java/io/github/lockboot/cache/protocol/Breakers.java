package io.github.lockboot.cache.protocol;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

	/** The servers at the last call of {@link #removeOthers}. */
	private volatile @Nullable Set<String> present;

	Breakers(MonotonicClock clock) {
		this.clock = clock;
	}

	/** Return the breaker of a server. The name is empty while the server is unknown. */
	Breaker of(String server) {
		Breaker known = this.byServer.get(server);
		return (known != null) ? known
				: Objects.requireNonNull(this.byServer.computeIfAbsent(server, (name) -> new Breaker(this.clock)));
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
	 * Opens after three failures in a row: no command is sent until the server has
	 * replied to a probe. Commands that were in progress together fail together, which
	 * counts as one failure. Thread-safe.
	 */
	static final class Breaker {

		private static final int LIMIT = 3;

		private static final State CLOSED = new State(0, 0);

		private final AtomicReference<State> state = new AtomicReference<>(CLOSED);

		/** Completes when the server has replied; present while it is probed. */
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
		 * Return what completes when the server has replied to a probe.
		 * @param probe starts to probe it, called unless it is probed already
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

		/** The server has replied to a probe. */
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
		 * The failures in a row.
		 *
		 * @param failedNanos when the last one was counted
		 */
		private record State(int failures, long failedNanos) {

			boolean isBefore(long sentNanos) {
				return this.failures == 0 || sentNanos - this.failedNanos >= 0;
			}

		}

	}

}
