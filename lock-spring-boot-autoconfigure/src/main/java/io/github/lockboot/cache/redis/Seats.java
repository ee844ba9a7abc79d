package io.github.lockboot.cache.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The seats of one {@link Flight}, in the order in which they were taken, and the line
 * between those that the command under way serves and those who came later. Thread-safe.
 */
final class Seats {

	private final ReentrantLock mutex = new ReentrantLock();

	private final List<Seat> seats = new ArrayList<>();

	/** So many of the first seats are served by the command under way. */
	private int served;

	private boolean landed;

	Seats(List<Seat> first) {
		this.seats.addAll(first);
	}

	/** Take callers aboard, unless the flight is over. */
	boolean board(List<Seat> added) {
		this.mutex.lock();
		try {
			return !this.landed && this.seats.addAll(added);
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Whether somebody aboard has waited for long enough. */
	boolean isOverdue() {
		this.mutex.lock();
		try {
			return this.seats.stream().anyMatch((seat) -> seat.isOverdue() && seat.isTaken());
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Whether somebody aboard can't use an entry. */
	boolean reject(byte[] mark) {
		this.mutex.lock();
		try {
			for (Seat seat : this.seats) {
				if (Arrays.equals(seat.rejected(), mark)) {
					return true;
				}
			}
			return false;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Let those aboard be served by the command that is sent next. */
	void cut() {
		this.mutex.lock();
		try {
			this.served = this.seats.size();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Cut, and return the first who waits and whose view is not outdated. */
	@Nullable Seat chooseLeader() {
		bypass((seat) -> seat.view().outdated());
		this.mutex.lock();
		try {
			this.seats.removeIf((seat) -> !seat.isTaken());
			this.served = this.seats.size();
			return this.seats.isEmpty() ? null : this.seats.get(0);
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Let some load for themselves. */
	void bypass(Predicate<Seat> who) {
		List<Seat> some;
		this.mutex.lock();
		try {
			some = this.seats.stream().filter(who).toList();
			this.seats.removeAll(some);
			this.served = Math.min(this.served, this.seats.size());
		}
		finally {
			this.mutex.unlock();
		}
		some.forEach((seat) -> seat.land(new Arrival.ToBypass()));
	}

	/**
	 * End the flight.
	 * @param withResult whether those are served that the last command was sent for; else
	 * nobody is
	 * @return who has arrived and who goes on, or {@code null} if it was over already
	 */
	@Nullable Landing land(boolean withResult) {
		this.mutex.lock();
		try {
			if (this.landed) {
				return null;
			}
			this.landed = true;
			int line = withResult ? this.served : 0;
			List<Seat> later = new ArrayList<>(this.seats.subList(line, this.seats.size()));
			later.removeIf((seat) -> !seat.isTaken());
			return new Landing(List.copyOf(this.seats.subList(0, line)), later);
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * How a flight has ended.
	 *
	 * @param arrived who is served
	 * @param later who goes on with the next flight
	 */
	record Landing(List<Seat> arrived, List<Seat> later) {

	}

}
