package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.Envelope;

/**
 * One caller that waits for a {@link SingleFlight}. The first outcome that is set counts:
 * the outcome of the flight, the end of the wait time, or an interrupt.
 */
final class Waiter {

	private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

	private final Request request;

	private volatile boolean overdue;

	private volatile @Nullable SingleFlight flight;

	Waiter(Request request) {
		this.request = request;
	}

	Request request() {
		return this.request;
	}

	CompletableFuture<Outcome> outcome() {
		return this.outcome;
	}

	boolean isWaiting() {
		return !this.outcome.isDone();
	}

	/** Set the outcome, and return false if the caller already has one. */
	boolean complete(Outcome outcome) {
		return this.outcome.complete(outcome);
	}

	void joined(SingleFlight flight) {
		this.flight = flight;
	}

	/** Return a future that completes when the loading JVM is known. */
	CompletableFuture<?> decided() {
		SingleFlight flight = this.flight;
		return (flight != null) ? flight.decided() : this.outcome;
	}

	/** Return the load that the caller waits for, if this JVM runs it. */
	@Nullable Load load() {
		SingleFlight flight = this.flight;
		return (flight != null) ? flight.load() : null;
	}

	/**
	 * Called when the wait time for another JVM has ended: one caller of this JVM is to
	 * load, in this flight or the next.
	 */
	void onWaitTimeout() {
		this.overdue = true;
		SingleFlight flight = this.flight;
		if (flight != null) {
			flight.onWaitTimeout();
		}
	}

	boolean isOverdue() {
		return this.overdue && isWaiting();
	}

	/** Stop waiting. If the caller has just become the leader, another one is chosen. */
	void leave() {
		if (!complete(new Leader(null)) && this.outcome.join() instanceof Leader leader && leader.flight() != null) {
			leader.flight().leave();
		}
	}

	/**
	 * What a caller requests.
	 *
	 * @param seenMicros Redis time since which the caller sees no change of the data, or
	 * {@code null} if it sees all changes
	 * @param outdated whether the cache was cleared since that time
	 * @param rejected mark of an entry that the caller could not read, or {@code null}
	 * @param redisFailure why the caller could not use Redis, or {@code null}
	 */
	record Request(@Nullable Long seenMicros, boolean outdated, byte @Nullable [] rejected,
			@Nullable Throwable redisFailure) {

	}

	sealed interface Outcome {

	}

	/** The caller receives an entry, which it decodes itself. */
	record Entry(Envelope envelope, boolean loaded) implements Outcome {
	}

	/**
	 * The caller receives a value that another caller has loaded and that is not stored.
	 */
	record Value(@Nullable Object value) implements Outcome {
	}

	/** The caller receives the failure of another caller's loader, or of its own wait. */
	record Failure(Throwable failure) implements Outcome {
	}

	/** Redis fails, and the settings allow no load. */
	record Unavailable(Throwable cause) implements Outcome {
	}

	/** The caller loads as the leader of a flight, or without one for itself only. */
	record Leader(@Nullable SingleFlight flight) implements Outcome {
	}

}
