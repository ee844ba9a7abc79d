package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

/**
 * The place of one caller on a {@link Flight}. It is left once: by what arrives first,
 * the outcome, the end of patience or an interrupt.
 */
final class Seat {

	private final CompletableFuture<Arrival> arrival = new CompletableFuture<>();

	private final View view;

	private final byte @Nullable [] rejected;

	/**
	 * Take a place.
	 * @param view how the caller sees the data
	 * @param rejected mark of an entry that the caller could not read, or {@code null}
	 */
	Seat(View view, byte @Nullable [] rejected) {
		this.view = view;
		this.rejected = rejected;
	}

	View view() {
		return this.view;
	}

	byte @Nullable [] rejected() {
		return this.rejected;
	}

	boolean isTaken() {
		return !this.arrival.isDone();
	}

	/** Tell the caller its outcome, unless it has left. */
	boolean land(Arrival outcome) {
		return this.arrival.complete(outcome);
	}

	/** The outcome to come, which may also be brought about by {@link #land}. */
	CompletableFuture<Arrival> arrival() {
		return this.arrival;
	}

	Arrival await(Duration patience) {
		Arrival end;
		try {
			return this.arrival.get(patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			end = new Arrival.TimedOut();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			end = new Arrival.Interrupted(ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A seat is never left by a failure", ex);
		}
		// the outcome may have come in between, and it may be one to act upon
		land(end);
		return this.arrival.join();
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

}
