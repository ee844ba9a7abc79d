package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.Mutex;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;

/**
 * The attempts of this JVM that wait in the store's queues, or that have waited there and
 * cannot wait there at the moment. Among the attempts that wait for one lock, only the
 * first one requests the lock again, so that none overtakes another; the others are kept
 * in the queue by joint calls. Thread-safe.
 * <p>
 * One place in the store for all callers of a JVM would not keep the order of arrival
 * over all JVMs. The JVM would have to estimate the store's time of each arrival, with an
 * error as long as a reply may take, and the order would change with the clock of the
 * store. A store that grants several permits at once would not know the next callers.
 */
final class QueuedAttempts {

	/** Order of the owner names of one JVM. A number with more digits is greater. */
	static final Comparator<String> BY_NUMBER = Comparator.comparingInt(String::length)
		.thenComparing(Comparator.naturalOrder());

	/** A queued attempt is confirmed at the store after this time. */
	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

	/** The time from the request of one attempt to that of another. */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** No call occupies the store for the length of a long queue. */
	private static final int MOST_IN_A_CALL = 300;

	private final LockStore store;

	private final MonotonicClock clock;

	private final Mutex mutex = new Mutex();

	private final Map<String, Queue> queues = new HashMap<>();

	QueuedAttempts(LockStore store, MonotonicClock clock) {
		this.store = store;
		this.clock = clock;
	}

	/** Return the time until a queued attempt is confirmed again, jittered. */
	static long intervalNanos(RandomGenerator random) {
		return INTERVAL_NANOS - random.nextLong(INTERVAL_NANOS / 8);
	}

	/**
	 * Let an attempt request again at a time, and stay queued until then.
	 * @param confirmed called each time that the attempt was confirmed, or could not be
	 */
	MonotonicClock.Timer add(LockAttempt attempt, long sinceMicros, long requestNanos, Runnable request,
			Consumer<Confirmation> confirmed) {
		Entry entry = new Entry(attempt, sinceMicros, requestNanos,
				this.clock.nanoTime() + intervalNanos(this.clock.random()), request, confirmed);
		change(attempt.lock(), (queue) -> queue.add(entry));
		return () -> change(attempt.lock(), (queue) -> queue.entries.remove(entry));
	}

	private <T> T change(String lock, Function<Queue, T> change) {
		return this.mutex.get(() -> {
			Queue queue = this.queues.computeIfAbsent(lock, Queue::new);
			T result = change.apply(queue);
			queue.schedule();
			if (queue.entries.isEmpty()) {
				this.queues.remove(lock);
			}
			return result;
		});
	}

	private void wake(String lock) {
		List<Entry> due = new ArrayList<>();
		Entry first = change(lock, (queue) -> queue.takeDue(due));
		for (int from = 0; from < due.size(); from += MOST_IN_A_CALL) {
			confirm(lock, due.subList(from, Math.min(from + MOST_IN_A_CALL, due.size())), due.get(0));
		}
		if (first != null) {
			first.request.run();
		}
	}

	private void confirm(String lock, List<Entry> entries, Entry first) {
		long sentNanos = this.clock.nanoTime();
		Map<LockAttempt, Long> since = new LinkedHashMap<>();
		entries.forEach((entry) -> since.put(entry.attempt, entry.sinceMicros));
		LockStore.call(() -> this.store.confirmQueued(lock, since))
			.whenComplete((replies, failure) -> entries.forEach((entry) -> {
				AcquireReply reply = (replies != null) ? replies.get(entry.attempt) : null;
				if (entry != first) {
					entry.confirmed.accept(
							new Confirmation(sentNanos, reply, (failure != null) ? StageFailure.cause(failure) : null));
				}
				else if (reply instanceof AcquireReply.Queued queued && queued.remainingMillis() == 0) {
					entry.request.run(); // otherwise by its own timer
				}
			}));
	}

	private static long earlier(long oneNanos, long otherNanos) {
		return (oneNanos - otherNanos < 0) ? oneNanos : otherNanos;
	}

	private static long later(long oneNanos, long otherNanos) {
		return (oneNanos - otherNanos < 0) ? otherNanos : oneNanos;
	}

	/**
	 * The outcome of confirming an attempt in the store's queue.
	 *
	 * @param reply absent after a failure, or if a request is needed
	 */
	record Confirmation(long sentNanos, @Nullable AcquireReply reply, @Nullable Throwable failure) {

	}

	/** An attempt that waits, and when to request or to confirm. */
	private record Entry(LockAttempt attempt, long sinceMicros, long requestNanos, long confirmNanos, Runnable request,
			Consumer<Confirmation> confirmed) {

		private static final Comparator<Entry> IN_ORDER = Comparator.comparingLong(Entry::sinceMicros)
			.thenComparing((entry) -> entry.attempt.id(), BY_NUMBER);

	}

	/** The attempts that wait for one lock; guarded by the mutex. */
	private final class Queue {

		private final String lock;

		private final TreeSet<Entry> entries = new TreeSet<>(Entry.IN_ORDER);

		/** When to confirm all attempts. */
		private long confirmNanos;

		/** The attempt that requested last. */
		private @Nullable LockAttempt requested;

		private long requestedNanos;

		private MonotonicClock.@Nullable Timer timer;

		private long timerNanos;

		Queue(String lock) {
			this.lock = lock;
		}

		boolean add(Entry entry) {
			this.entries.add(entry);
			// the first attempt sends its own requests, so of two attempts only the other
			// one counts
			this.confirmNanos = (this.entries.size() <= 2) ? this.entries.last().confirmNanos
					: earlier(this.confirmNanos, entry.confirmNanos);
			return true;
		}

		/**
		 * Return the attempt that has to request now, and add the attempts to be
		 * confirmed to a list.
		 */
		@Nullable Entry takeDue(List<Entry> due) {
			stop();
			if (this.entries.isEmpty()) {
				return null;
			}
			long now = QueuedAttempts.this.clock.nanoTime();
			Entry first = this.entries.first();
			if (isConfirmedJointly() && this.confirmNanos - now <= 0) {
				this.confirmNanos = now + intervalNanos(QueuedAttempts.this.clock.random());
				due.addAll(this.entries);
			}
			if (requestNanos(first) - now > 0) {
				return null;
			}
			this.requested = first.attempt;
			this.requestedNanos = now;
			this.entries.remove(first);
			return first;
		}

		void schedule() {
			if (this.entries.isEmpty()) {
				stop();
				return;
			}
			long atNanos = requestNanos(this.entries.first());
			if (isConfirmedJointly()) {
				atNanos = earlier(atNanos, this.confirmNanos);
			}
			if (this.timer == null || atNanos - this.timerNanos < 0) {
				stop();
				this.timerNanos = atNanos;
				this.timer = QueuedAttempts.this.clock.schedule(atNanos, () -> wake(this.lock));
			}
		}

		private boolean isConfirmedJointly() {
			return this.entries.size() > 1;
		}

		/**
		 * Return when the first attempt requests. During its request, each of the other
		 * attempts in turn is first for a moment.
		 */
		private long requestNanos(Entry first) {
			boolean isNext = this.requested != null && !this.requested.id().equals(first.attempt.id());
			return isNext ? later(first.requestNanos, this.requestedNanos + TURN_NANOS) : first.requestNanos;
		}

		private void stop() {
			if (this.timer != null) {
				this.timer.cancel();
				this.timer = null;
			}
		}

	}

}
