package io.github.lockboot;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Which lock is wanted and how it is taken and kept. What is left {@code null} comes from
 * the {@link LockDefaults} of the template. A request is an immutable value; one may be
 * kept and used any number of times, by any number of threads.
 *
 * @param name name of the lock; callers that use the same name (and key prefix) exclude
 * each other
 * @param group low-cardinality name under which metrics and properties know the lock, for
 * an annotated method its {@code name}
 * @param waitTime how long to wait for a busy lock; zero tries once
 * @param leaseTime how long the store keeps the lock if its holder dies; at least 10 ms
 * and at most 365 days
 * @param onLost what happens to a section whose lease is lost
 * @since 1.0.0
 */
public record LockRequest(String name, @Nullable String group, @Nullable Duration waitTime,
		@Nullable Duration leaseTime, @Nullable OnLost onLost) {

	/**
	 * Check a request as soon as it is made.
	 * @throws IllegalArgumentException if the name is blank, the wait time negative or
	 * the lease outside its bounds
	 */
	public LockRequest {
		Assert.hasText(name, "The name of a lock must not be blank");
		if (waitTime != null) {
			LockDefaults.checkWaitTime(waitTime, () -> "of lock '" + name + "'");
		}
		if (leaseTime != null) {
			LockDefaults.checkLeaseTime(leaseTime, () -> "of lock '" + name + "'");
		}
	}

	/**
	 * A request for a lock with all else by default.
	 * @param name name of the lock
	 * @return the request
	 */
	public static LockRequest of(String name) {
		return new LockRequest(name, null, null, null, null);
	}

	/**
	 * The same request under another group.
	 * @param group low-cardinality name for metrics
	 * @return a new request
	 */
	public LockRequest group(@Nullable String group) {
		return new LockRequest(this.name, group, this.waitTime, this.leaseTime, this.onLost);
	}

	/**
	 * The same request with another wait time.
	 * @param waitTime how long to wait; zero tries once
	 * @return a new request
	 */
	public LockRequest waitTime(@Nullable Duration waitTime) {
		return new LockRequest(this.name, this.group, waitTime, this.leaseTime, this.onLost);
	}

	/**
	 * The same request with another lease.
	 * @param leaseTime how long the lock outlives a dead holder
	 * @return a new request
	 */
	public LockRequest leaseTime(@Nullable Duration leaseTime) {
		return new LockRequest(this.name, this.group, this.waitTime, leaseTime, this.onLost);
	}

	/**
	 * The same request with another answer to a lost lease.
	 * @param onLost what happens to the section
	 * @return a new request
	 */
	public LockRequest onLost(@Nullable OnLost onLost) {
		return new LockRequest(this.name, this.group, this.waitTime, this.leaseTime, onLost);
	}

}
