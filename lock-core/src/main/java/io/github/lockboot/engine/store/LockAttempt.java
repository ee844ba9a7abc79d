package io.github.lockboot.engine.store;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * One attempt of this JVM to own a lock in a store. Every call about an attempt can be
 * repeated after a failure, because the store identifies the attempt by its id.
 *
 * @param lock full name of the lock
 * @param id id of the attempt, unique for each attempt of each JVM
 * @param leaseMillis how long the store keeps the lock unless it is renewed, in
 * milliseconds
 * @param permits how many may hold the lock together so that this attempt is one of them:
 * 1 for an exclusive lock
 * @param thread name of the thread whose caller waits first, for people who inspect a
 * store
 * @param reason why that caller requests the lock, or {@code null}
 */
@Internal
public record LockAttempt(String lock, String id, long leaseMillis, int permits, String thread,
		@Nullable String reason) {

	/** Create an attempt of a thread without a name, and without a reason. */
	public LockAttempt(String lock, String id, long leaseMillis, int permits) {
		this(lock, id, leaseMillis, permits, "", null);
	}

	/** Return the same attempt with another lease. */
	public LockAttempt withLeaseMillis(long leaseMillis) {
		return (leaseMillis == this.leaseMillis) ? this
				: new LockAttempt(this.lock, this.id, leaseMillis, this.permits, this.thread, this.reason);
	}

}
