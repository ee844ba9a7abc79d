package io.github.lockboot.cache.redis;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.Envelope;

/**
 * One caller that waits on a {@link SingleFlight}. It gets one outcome, whatever comes
 * first: that of the flight, the end of its patience, or an interrupt.
 */
final class Waiter {

	private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

	private final View view;

	private final byte @Nullable [] rejected;

	private volatile boolean overdue;

	private volatile @Nullable SingleFlight flight;

	/**
	 * Create a waiter.
	 * @param view how the caller sees the data
	 * @param rejected mark of an entry that the caller could not read, or {@code null}
	 */
	Waiter(View view, byte @Nullable [] rejected) {
		this.view = view;
		this.rejected = rejected;
	}

	View view() {
		return this.view;
	}

	byte @Nullable [] rejected() {
		return this.rejected;
	}

	CompletableFuture<Outcome> outcome() {
		return this.outcome;
	}

	boolean isWaiting() {
		return !this.outcome.isDone();
	}

	/** Return false if the caller has its outcome already. */
	boolean complete(Outcome outcome) {
		return this.outcome.complete(outcome);
	}

	void joined(SingleFlight flight) {
		this.flight = flight;
	}

	@Nullable SingleFlight flight() {
		return this.flight;
	}

	/**
	 * The caller has waited for another JVM for long enough: one caller of this JVM is to
	 * load, in this flight or the next.
	 */
	void hurry() {
		this.overdue = true;
		SingleFlight flight = this.flight;
		if (flight != null) {
			flight.hurry();
		}
	}

	boolean isOverdue() {
		return this.overdue && isWaiting();
	}

	boolean waitsFor(SingleFlight.Load load, Set<SingleFlight.Load> seen) {
		SingleFlight flight = this.flight;
		return flight != null && flight.waitsFor(load, seen);
	}

	/** Wait no longer; a right to load that has come is given back. */
	void leave() {
		if (!complete(new Bypass()) && this.outcome.join() instanceof ToLoad order) {
			order.flight().leave(order.lease());
		}
	}

	/**
	 * How a caller sees the data.
	 *
	 * @param seenMicros Redis time since which it sees no change, or {@code null} if it
	 * sees all of them
	 * @param outdated whether the cache was cleared since then
	 */
	record View(@Nullable Long seenMicros, boolean outdated) {

		static final View CURRENT = new View(null, false);

	}

	/**
	 * How the wait of a caller ends.
	 */
	sealed interface Outcome {

	}

	/** The caller gets an entry, and decodes a value of its own. */
	record Entry(Envelope envelope, boolean loaded) implements Outcome {
	}

	/** The caller gets the value that another has loaded and not stored. */
	record Value(@Nullable Object value) implements Outcome {
	}

	/** The caller gets what the loader of another has thrown, or why it waits no more. */
	record Failure(Throwable failure) implements Outcome {
	}

	/** Redis fails, and nobody is to load. */
	record Unavailable(Throwable cause) implements Outcome {
	}

	/**
	 * The caller is to load, and to report the result to the flight.
	 *
	 * @param forLater whether those who join during the load share its value
	 */
	record ToLoad(SingleFlight flight, LoadLease lease, boolean forLater) implements Outcome {
	}

	/** The caller is to load for itself alone. */
	record Bypass() implements Outcome {
	}

}
