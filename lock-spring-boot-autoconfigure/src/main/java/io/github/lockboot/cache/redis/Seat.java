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

	private volatile boolean overdue;

	private volatile @Nullable Flight flight;

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

	/** Note on which flight the seat is. */
	void aboard(Flight flight) {
		this.flight = flight;
	}

	/**
	 * The caller has waited for long enough for another JVM: somebody of this one is to
	 * load now, on this flight or the next.
	 */
	void hurry() {
		this.overdue = true;
		Flight flight = this.flight;
		if (flight != null) {
			flight.hurry();
		}
	}

	boolean isOverdue() {
		return this.overdue;
	}

	/** The outcome to come, which may also be brought about by {@link #land}. */
	CompletableFuture<Arrival> arrival() {
		return this.arrival;
	}

	/**
	 * Wait for the outcome.
	 * @return the outcome, or {@code null} if it has not come in that time
	 */
	@Nullable Arrival await(Duration patience) {
		try {
			return this.arrival.get(patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			return null;
		}
		catch (InterruptedException ex) {
			return interrupted(ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A seat is never left by a failure", ex);
		}
	}

	/** Wait for the outcome, which the flight bounds. */
	Arrival await() {
		try {
			return this.arrival.get();
		}
		catch (InterruptedException ex) {
			return interrupted(ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A seat is never left by a failure", ex);
		}
	}

	private Arrival interrupted(InterruptedException ex) {
		Thread.currentThread().interrupt();
		// the outcome may have come in between, and it may be one to act upon
		land(new Arrival.Interrupted(ex));
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
