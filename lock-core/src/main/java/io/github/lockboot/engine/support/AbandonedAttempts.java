package io.github.lockboot.engine.support;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.Backoff;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * Releases abandoned attempts in the background until the store has confirmed each
 * release, because an abandoned attempt may still be executed or own its lock. The number
 * of concurrent releases is limited. While the store fails, one release is tried after a
 * growing pause and all others wait, so that a store that recovers is not overloaded.
 * Thread-safe.
 */
@Internal
public final class AbandonedAttempts {

	private static final Log logger = LogFactory.getLog(AbandonedAttempts.class);

	/**
	 * This number of releases delays a caller's command by a few milliseconds at most.
	 */
	private static final int LARGEST_WINDOW = 64;

	/**
	 * This number of attempts takes some 20 MB of memory; further attempts are left to
	 * their leases, unless these leases last as long as a session.
	 */
	private static final int MOST_ATTEMPTS = 100_000;

	private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

	/**
	 * A request without a reply may reach the store after its release, by another socket
	 * of a server that was suspended, but not after this time.
	 */
	private static final long SECOND_TRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * How long the store may fail before an attempt without a reply, or an attempt whose
	 * lock stays held until its session ends, is forgotten.
	 */
	private static final long LONGEST_OUTAGE_NANOS = TimeUnit.HOURS.toNanos(1);

	private final LockStore store;

	private final MonotonicClock clock;

	private final Runnable onEmpty;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Queue<Task> waiting = new PriorityQueue<>(
			Comparator.comparingLong((Task task) -> task.dueNanos).thenComparingLong((task) -> task.number));

	/** Pauses since the store last replied. */
	private int pauses;

	/** The number of releases that may be under way at the same time. */
	private int window = LARGEST_WINDOW;

	private int underWay;

	private long pausedUntilNanos;

	private MonotonicClock.@Nullable Timer timer;

	private boolean sending;

	private boolean changed;

	private long numbers;

	private long leftToLeases;

	/**
	 * Create the releases of a store.
	 * @param onEmpty runs each time that all attempts are released
	 */
	public AbandonedAttempts(LockStore store, MonotonicClock clock, Runnable onEmpty) {
		this.store = store;
		this.clock = clock;
		this.onEmpty = onEmpty;
		this.pausedUntilNanos = clock.nanoTime();
	}

	/**
	 * Release an attempt.
	 * @param answered whether the store has replied to all requests of the attempt
	 */
	public void release(LockAttempt attempt, boolean answered) {
		release(attempt, answered, this.clock.nanoTime());
	}

	/**
	 * Release an attempt whose lock stays held until a time, for a minimum hold time.
	 * @param answered whether the store has replied to all requests of the attempt
	 * @param keptUntilNanos time of the clock until which the lock stays held
	 */
	public void release(LockAttempt attempt, boolean answered, long keptUntilNanos) {
		// from now on, because the request may have been sent longer ago than its lease
		// takes
		long nowNanos = this.clock.nanoTime();
		long overNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis());
		this.mutex.lock();
		try {
			boolean leased = this.store.traits().leases() == StoreTraits.Leases.LOCK;
			if (leased && size() >= MOST_ATTEMPTS) {
				this.leftToLeases++;
				return;
			}
			queue(new Task(attempt, keptUntilNanos, (answered && leased) ? overNanos : overNanos + LONGEST_OUTAGE_NANOS,
					answered), nowNanos);
		}
		finally {
			this.mutex.unlock();
		}
		send();
	}

	public boolean isEmpty() {
		this.mutex.lock();
		try {
			return size() == 0;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private int size() {
		return this.waiting.size() + this.underWay;
	}

	/**
	 * Send the next releases, one thread at a time, because a store may reply at once.
	 */
	private void send() {
		this.mutex.lock();
		try {
			this.changed = true;
			if (this.sending) {
				return;
			}
			this.sending = true;
		}
		finally {
			this.mutex.unlock();
		}
		List<Task> batch = next();
		while (batch != null) {
			batch.forEach(this::send);
			batch = next();
		}
	}

	/**
	 * Send a release that returns no unused tokens: if an earlier release or a late
	 * request has taken effect, others may have held the lock since the attempt issued
	 * its last token.
	 */
	private void send(Task task) {
		long keptMillis = TimeUnit.NANOSECONDS.toMillis(task.keptUntilNanos - this.clock.nanoTime());
		LockStore.call(() -> this.store.release(task.attempt, 0, keptMillis))
			.whenComplete((reply, failure) -> answered(task, reply));
	}

	/** Return the next releases to send, {@code null} if there are none. */
	private @Nullable List<Task> next() {
		boolean empty;
		this.mutex.lock();
		try {
			boolean due = this.changed;
			this.changed = false;
			List<Task> batch = due ? takeDue() : List.of();
			if (!batch.isEmpty() || this.changed) {
				return batch;
			}
			this.sending = false;
			empty = size() == 0;
			if (empty) {
				logLeftToLeases();
			}
			else {
				schedule();
			}
		}
		finally {
			this.mutex.unlock();
		}
		if (empty) {
			this.onEmpty.run();
		}
		return null;
	}

	private List<Task> takeDue() {
		long now = this.clock.nanoTime();
		List<Task> batch = new ArrayList<>();
		Task first = this.waiting.peek();
		while (first != null && first.dueNanos - now <= 0 && this.pausedUntilNanos - now <= 0
				&& this.underWay < this.window) {
			this.waiting.remove();
			if (first.overNanos - now > 0) {
				this.underWay++;
				batch.add(first);
			}
			first = this.waiting.peek();
		}
		return batch;
	}

	private void schedule() {
		if (this.timer != null) {
			this.timer.cancel();
			this.timer = null;
		}
		Task first = this.waiting.peek();
		if (first != null && this.underWay < this.window) {
			long atNanos = (first.dueNanos - this.pausedUntilNanos > 0) ? first.dueNanos : this.pausedUntilNanos;
			this.timer = this.clock.schedule(atNanos, this::send);
		}
	}

	private void answered(Task task, LockStore.@Nullable ReleaseReply reply) {
		this.mutex.lock();
		try {
			this.underWay--;
			long now = this.clock.nanoTime();
			if (reply == null) {
				pause(now);
				queue(task, now);
			}
			else {
				this.window = Math.min(2 * this.window, LARGEST_WINDOW);
				this.pauses = 0;
				if (!task.answered) { // one of its requests may come after this release
					task.answered = true;
					queue(task, now + SECOND_TRY_NANOS);
				}
			}
		}
		finally {
			this.mutex.unlock();
		}
		send();
	}

	private void queue(Task task, long untilNanos) {
		task.dueNanos = untilNanos;
		task.number = this.numbers++;
		this.waiting.add(task);
	}

	/**
	 * Pause after a failure. The releases that were under way together with the failed
	 * one fail for the same reason.
	 */
	private void pause(long now) {
		this.window = 1;
		if (this.pausedUntilNanos - now <= 0) {
			this.pausedUntilNanos = now + Backoff.pauseNanos(this.pauses++, LONGEST_PAUSE_NANOS, this.clock.random());
		}
	}

	private void logLeftToLeases() {
		if (this.leftToLeases > 0) {
			logger.warn("More than " + MOST_ATTEMPTS + " attempts at locks got no reply and had to be released; "
					+ this.leftToLeases + " of these locks remain held until their leases expire");
			this.leftToLeases = 0;
		}
	}

	/** An attempt to release; guarded by the mutex, but for its constants. */
	private static final class Task {

		private final LockAttempt attempt;

		private final long keptUntilNanos;

		private final long overNanos;

		private boolean answered;

		private long dueNanos;

		private long number;

		Task(LockAttempt attempt, long keptUntilNanos, long overNanos, boolean answered) {
			this.attempt = attempt;
			this.keptUntilNanos = keptUntilNanos;
			this.overNanos = overNanos;
			this.answered = answered;
		}

	}

}
