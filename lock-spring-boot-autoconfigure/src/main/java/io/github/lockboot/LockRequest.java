package io.github.lockboot;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Which lock is wanted and how it is taken and kept. What is left {@code null} comes from
 * the {@link LockDefaults} of the template. A request is an immutable value; one may be
 * kept and used any number of times, by any number of threads.
 *
 * @param names name of the lock; callers that use the same name (and key prefix) exclude
 * each other. Several names mean several locks at once: all of them or none, each once,
 * in their natural order
 * @param group low-cardinality name under which metrics and properties know the lock, for
 * an annotated method its {@code name}
 * @param waitTime how long to wait for a busy lock; zero tries once
 * @param leaseTime how long the store keeps the lock if its holder dies; at least 10 ms
 * and at most 365 days
 * @param renew whether the lease is renewed while the lock is held, which is the default;
 * without it the lock is lost when its lease ends
 * @param minHoldTime shortest hold: a lock that is given back sooner stays taken for the
 * rest of this time, even if its holder dies meanwhile; at most 365 days
 * @param maxHoldTime longest hold: a lock that is held longer is lost, so that a wedged
 * holder can't keep it for ever; at least 10 ms, or zero for no limit
 * @param fair whether callers get the lock strictly in the order in which they reached
 * the store, over all instances; slower, because no hold is passed on within an instance
 * @param permits how many may hold the lock at the same time so that this caller is one
 * of them: 1 for an exclusive lock, more for a semaphore, {@link Integer#MAX_VALUE} to
 * share it with all others who share it
 * @param onLost what happens to a section whose lease is lost
 * @since 1.0.0
 */
public record LockRequest(List<String> names, @Nullable String group, @Nullable Duration waitTime,
		@Nullable Duration leaseTime, @Nullable Boolean renew, @Nullable Duration minHoldTime,
		@Nullable Duration maxHoldTime, boolean fair, int permits, @Nullable OnLost onLost) {

	/** Permits of a lock that any number of callers may share. */
	private static final int UNLIMITED = Integer.MAX_VALUE;

	/**
	 * Check a request as soon as it is made.
	 * @throws IllegalArgumentException if a name or the group is blank, a name has a NUL
	 * or half of a surrogate pair, there is no name, a time is negative, the lease or the
	 * shortest hold outside its bounds or the longest hold shorter than the shortest
	 */
	public LockRequest {
		names = inOrder(names);
		String name = name(names);
		Assert.isTrue(group == null || StringUtils.hasText(group),
				() -> "The group of lock '" + name + "' must not be blank");
		Assert.isTrue(permits > 0, () -> "The permits of lock '" + name + "' must be at least 1 but are " + permits);
		if (waitTime != null) {
			LockDefaults.checkWaitTime(waitTime, () -> "of lock '" + name + "'");
		}
		if (leaseTime != null) {
			LockDefaults.checkLeaseTime(leaseTime, () -> "of lock '" + name + "'");
		}
		if (minHoldTime != null) {
			LockDefaults.checkMinHoldTime(minHoldTime, () -> "of lock '" + name + "'");
		}
		if (maxHoldTime != null) {
			LockDefaults.checkMaxHoldTime(maxHoldTime, () -> "of lock '" + name + "'");
			Assert.isTrue(minHoldTime == null || maxHoldTime.isZero() || minHoldTime.compareTo(maxHoldTime) <= 0,
					() -> "The minimal hold time of lock '" + name + "', "
							+ LockDefaults.text(Objects.requireNonNull(minHoldTime))
							+ ", must not be longer than the maximal one, " + LockDefaults.text(maxHoldTime));
		}
	}

	/**
	 * A request for a lock with all else by default.
	 * @param name name of the lock
	 * @return the request
	 */
	public static LockRequest of(String name) {
		return new LockRequest(Collections.singletonList(name), null, null, null, null, null, null, false, 1, null);
	}

	/**
	 * A request for several locks at once with all else by default: the caller gets all
	 * of them or none, waits for all of them no longer than the wait time, and gives them
	 * back together. Callers that want some of the same locks, in whatever order they
	 * name them, never wait for each other in a circle.
	 * @param names names of the locks; one that is told twice counts once
	 * @return the request
	 */
	public static LockRequest allOf(String... names) {
		return allOf(List.of(names));
	}

	/**
	 * A request for several locks at once with all else by default.
	 * @param names names of the locks, at least one
	 * @return the request
	 * @see #allOf(String...)
	 */
	public static LockRequest allOf(Collection<String> names) {
		return new LockRequest(List.copyOf(names), null, null, null, null, null, null, false, 1, null);
	}

	/** One order for all callers, so that none waits for another in a circle. */
	private static List<String> inOrder(List<String> names) {
		Assert.notEmpty(names, "A request must name a lock");
		for (String name : names) {
			Assert.hasText(name, "The name of a lock must not be blank");
			LockName.check(name);
		}
		return List.copyOf((names.size() == 1) ? names : new TreeSet<>(names));
	}

	private static String name(List<String> names) {
		return (names.size() == 1) ? names.get(0) : String.join(" + ", names);
	}

	/**
	 * Return the name of the lock; of several locks all names in one text, for messages.
	 * @return the name
	 */
	public String name() {
		return name(this.names);
	}

	/**
	 * The same request for another lock.
	 * @param name name of the lock
	 * @return a new request
	 */
	public LockRequest name(String name) {
		return names(List.of(name));
	}

	/**
	 * The same request for several other locks at once.
	 * @param names names of the locks, at least one
	 * @return a new request
	 * @see #allOf(String...)
	 */
	public LockRequest names(Collection<String> names) {
		return new LockRequest(List.copyOf(names), this.group, this.waitTime, this.leaseTime, this.renew,
				this.minHoldTime, this.maxHoldTime, this.fair, this.permits, this.onLost);
	}

	/**
	 * The same request under another group.
	 * @param group low-cardinality name for metrics
	 * @return a new request
	 */
	public LockRequest group(@Nullable String group) {
		return new LockRequest(this.names, group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.fair, this.permits, this.onLost);
	}

	/**
	 * The same request with another wait time.
	 * @param waitTime how long to wait; zero tries once
	 * @return a new request
	 */
	public LockRequest waitTime(@Nullable Duration waitTime) {
		return new LockRequest(this.names, this.group, waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.fair, this.permits, this.onLost);
	}

	/**
	 * The same request with another lease.
	 * @param leaseTime how long the lock outlives a dead holder
	 * @return a new request
	 */
	public LockRequest leaseTime(@Nullable Duration leaseTime) {
		return new LockRequest(this.names, this.group, this.waitTime, leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.fair, this.permits, this.onLost);
	}

	/**
	 * The same request with or without renewal.
	 * @param renew whether the lease is renewed while the lock is held
	 * @return a new request
	 */
	public LockRequest renew(@Nullable Boolean renew) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, renew, this.minHoldTime,
				this.maxHoldTime, this.fair, this.permits, this.onLost);
	}

	/**
	 * The same request with another shortest hold.
	 * @param minHoldTime how long the lock stays taken at least
	 * @return a new request
	 */
	public LockRequest minHoldTime(@Nullable Duration minHoldTime) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, minHoldTime,
				this.maxHoldTime, this.fair, this.permits, this.onLost);
	}

	/**
	 * The same request with another longest hold.
	 * @param maxHoldTime how long the lock is held at most; zero for no limit
	 * @return a new request
	 */
	public LockRequest maxHoldTime(@Nullable Duration maxHoldTime) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				maxHoldTime, this.fair, this.permits, this.onLost);
	}

	/**
	 * The same request, in strict order of arrival or not.
	 * @param fair whether the order of arrival at the store is kept over all instances
	 * @return a new request
	 */
	public LockRequest fair(boolean fair) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, fair, this.permits, this.onLost);
	}

	/**
	 * The same request for a lock that is shared: with any number of others who share it,
	 * and with nobody who wants it exclusively.
	 * @return a new request
	 */
	public LockRequest shared() {
		return permits(UNLIMITED);
	}

	/**
	 * The same request with another number of permits.
	 * @param permits how many may hold the lock at the same time
	 * @return a new request
	 */
	public LockRequest permits(int permits) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.fair, permits, this.onLost);
	}

	/**
	 * Whether nobody else may hold the lock at the same time.
	 * @return true with one permit
	 */
	public boolean isExclusive() {
		return this.permits == 1;
	}

	/**
	 * Whether any number of others may share the lock.
	 * @return true without a limit
	 */
	public boolean isShared() {
		return this.permits == UNLIMITED;
	}

	/**
	 * The same request with another answer to a lost lease.
	 * @param onLost what happens to the section
	 * @return a new request
	 */
	public LockRequest onLost(@Nullable OnLost onLost) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.fair, this.permits, onLost);
	}

}
