package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Releases, in the background, attempts that nobody wants and that the store may still
 * carry out or know as the owner: again and again until the store confirms a release, or
 * the attempt's lease is over whatever happened.
 *
 * @since 1.0.0
 */
@Internal
public final class AbandonedAttempts {

	private final LockStore store;

	private final LockClock clock;

	private final Runnable onEmpty;

	private final AtomicInteger pending = new AtomicInteger();

	/**
	 * Release attempts at a store.
	 * @param store the store
	 * @param clock time and timers
	 * @param onEmpty run each time that nothing is left to be released
	 */
	public AbandonedAttempts(LockStore store, LockClock clock, Runnable onEmpty) {
		this.store = store;
		this.clock = clock;
		this.onEmpty = onEmpty;
	}

	/**
	 * Take care of an attempt.
	 * @param attempt the attempt
	 * @param token highest token it gave out, or zero
	 * @param sentNanos when it was last sent
	 * @param answered whether it was answered: then "not the owner" proves that all is
	 * over; otherwise the attempt itself may still sit in a socket
	 */
	public void release(Attempt attempt, long token, long sentNanos, boolean answered) {
		long overNanos = sentNanos + TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis());
		this.pending.incrementAndGet();
		new Task(attempt, token, overNanos, answered).run();
	}

	boolean isEmpty() {
		return this.pending.get() == 0;
	}

	private void done() {
		if (this.pending.decrementAndGet() == 0) {
			this.onEmpty.run();
		}
	}

	private final class Task implements Runnable {

		private final Attempt attempt;

		private final long token;

		private final long overNanos;

		private final boolean answered;

		private final Backoff backoff = new Backoff();

		Task(Attempt attempt, long token, long overNanos, boolean answered) {
			this.attempt = attempt;
			this.token = token;
			this.overNanos = overNanos;
			this.answered = answered;
		}

		@Override
		public void run() {
			Replies.ask(() -> AbandonedAttempts.this.store.release(this.attempt, this.token))
				.whenComplete((reply, failure) -> repeatUnlessSure(reply));
		}

		private void repeatUnlessSure(@Nullable ReleaseReply reply) {
			boolean sure = reply == ReleaseReply.RELEASED || (reply == ReleaseReply.NOT_OWNER && this.answered);
			long againNanos = AbandonedAttempts.this.clock.nanoTime() + this.backoff.nextNanos();
			if (!sure && againNanos - this.overNanos < 0) {
				AbandonedAttempts.this.clock.schedule(againNanos, this);
			}
			else {
				done();
			}
		}

	}

}
