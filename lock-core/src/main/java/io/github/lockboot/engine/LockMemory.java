package io.github.lockboot.engine;

import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a lock while nobody in this JVM wants it.
 *
 * @param seenToken the highest token that this JVM has issued, for all its queues of the
 * lock
 * @param slice for the exclusive holders of the lock, present if waiters of the store
 * poll
 * @param backoff whether to retain the lock again
 */
record LockMemory(AtomicLong seenToken, @Nullable TimeSlice slice, Retention.Backoff backoff) {

	LockMemory(boolean polled) {
		this(new AtomicLong(), polled ? new TimeSlice() : null, Retention.Backoff.NONE);
	}

	/**
	 * Issue a token, unless this JVM has already issued it or a higher one.
	 * @param shared whether several callers may have the same token
	 */
	boolean issue(long token, boolean shared) {
		long seenToken = this.seenToken.getAndAccumulate(token, Math::max);
		return shared ? token >= seenToken : token > seenToken;
	}

	void seen(long token) {
		this.seenToken.accumulateAndGet(token, Math::max);
	}

	LockMemory backoff(Retention.Backoff backoff) {
		return (backoff == this.backoff) ? this : new LockMemory(this.seenToken, this.slice, backoff);
	}

	/**
	 * Adopt the latest knowledge of a queue. The lock may have been forgotten meanwhile.
	 */
	LockMemory merge(LockMemory later) {
		seen(later.seenToken.get());
		return backoff(later.backoff);
	}

}
