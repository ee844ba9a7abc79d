package io.github.lockboot;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Which lock to acquire, and how. A component that is {@code null} takes its value from
 * the {@link LockDefaults} of the template. A request is immutable and can be used any
 * number of times, by any number of threads.
 *
 * @param names name of the lock; callers that use the same name (and key prefix) exclude
 * each other. Several names request several locks at once: all of them or none, each
 * once, in the natural order of the names
 * @param group low-cardinality name of the lock in metrics and properties; for an
 * annotated method, the {@code name} of the annotation
 * @param waitTime how long to wait for a busy lock; zero for a single attempt
 * @param leaseTime how long the store keeps the lock if its holder dies; 10 ms to 365
 * days
 * @param renew whether the lease is renewed while the lock is held, which is the default;
 * without renewal the lock is lost when its lease ends
 * @param minHoldTime minimum time for which the lock stays held, even if the holder
 * releases the lock or dies before; at most 365 days
 * @param maxHoldTime maximum time for which the lock is held, after which the lock is
 * lost; at least 10 ms, or zero for no limit
 * @param retainTime how long this instance keeps the idle lock after its release, as long
 * as no other instance waits for the lock, in order to acquire the lock again without the
 * store; at most 365 days. Zero, the default, keeps no lock. Only for exclusive locks
 * that are renewed and not fair
 * @param fair whether callers acquire the lock strictly in the order in which they
 * reached the store, over all instances; a fair lock is slower, because no lease is
 * passed on within an instance
 * @param permits how many callers may hold the lock at the same time, this one included:
 * 1 for an exclusive lock, more for a semaphore, {@link Integer#MAX_VALUE} for a lock
 * that any number of callers share
 * @param maxWaiting how many callers of this instance may wait for the lock at the same
 * time; one more is refused at once. Zero means no limit
 * @param onLost what happens to a section whose lease is lost
 * @param release whether the release waits for the store
 * @param reason why the lock is requested, for diagnostics; for an annotated method, by
 * default, its class and name
 * @since 1.0.0
 */
public record LockRequest(List<String> names, @Nullable String group, @Nullable Duration waitTime,
		@Nullable Duration leaseTime, @Nullable Boolean renew, @Nullable Duration minHoldTime,
		@Nullable Duration maxHoldTime, @Nullable Duration retainTime, boolean fair, int permits,
		@Nullable Integer maxWaiting, @Nullable OnLost onLost, @Nullable LockRelease release, @Nullable String reason) {

	private static final int UNLIMITED = Integer.MAX_VALUE;

	/**
	 * With a longer name, a request might exceed what a server accepts, and the server
	 * would close the connection that all callers share.
	 */
	private static final int LONGEST_NAME = 10_000;

	/**
	 * Create a request.
	 * @throws IllegalArgumentException if there is no name, a name, the group or the
	 * reason is blank, a name has more than 10,000 characters or contains a NUL or half
	 * of a surrogate pair, the permits are less than 1, the maximum of waiting callers is
	 * negative, a time is outside its bounds, or the maximum hold time is shorter than
	 * the minimum
	 */
	public LockRequest {
		names = checkAndSort(names);
		String name = name(names);
		Assert.isTrue(group == null || StringUtils.hasText(group),
				() -> "The group of lock '" + name + "' must not be blank");
		Assert.isTrue(reason == null || StringUtils.hasText(reason),
				() -> "The reason of lock '" + name + "' must not be blank");
		Assert.isTrue(permits > 0, () -> "The permits of lock '" + name + "' must be at least 1 but are " + permits);
		Supplier<String> whose = () -> "of lock '" + name + "'";
		LockDefaults.checkMaxWaiting(maxWaiting, whose);
		LockDefaults.checkTimes(waitTime, leaseTime, minHoldTime, maxHoldTime, retainTime, whose);
		if (minHoldTime != null && maxHoldTime != null) {
			Assert.isTrue(maxHoldTime.isZero() || minHoldTime.compareTo(maxHoldTime) <= 0,
					() -> "The minimum hold time of lock '" + name + "', " + LockDefaults.text(minHoldTime)
							+ ", must not be longer than the maximum hold time, " + LockDefaults.text(maxHoldTime));
		}
	}

	/**
	 * Return a request for a lock, with defaults for everything else.
	 * @param name name of the lock
	 */
	public static LockRequest of(String name) {
		return of(Collections.singletonList(name));
	}

	private static LockRequest of(List<String> names) {
		return new LockRequest(names, null, null, null, null, null, null, null, false, 1, null, null, null, null);
	}

	/**
	 * Return a request for several locks at once, with defaults for everything else. The
	 * caller acquires all of the locks or none, waits for all of them no longer than the
	 * wait time, and releases them together. Callers whose requests have some locks in
	 * common, in any order, do not deadlock.
	 * @param names names of the locks; a repeated name counts once
	 * @return the request
	 */
	public static LockRequest allOf(String... names) {
		return allOf(List.of(names));
	}

	/**
	 * Return a request for several locks at once, with defaults for everything else.
	 * @param names names of the locks, at least one
	 * @see #allOf(String...)
	 */
	public static LockRequest allOf(Collection<String> names) {
		return of(List.copyOf(names));
	}

	/** Sort the names: callers do not deadlock if all of them use the same order. */
	private static List<String> checkAndSort(List<String> names) {
		Assert.notEmpty(names, "A request must name a lock");
		names.forEach(LockRequest::checkName);
		return List.copyOf((names.size() == 1) ? names : new TreeSet<>(names));
	}

	/**
	 * Reject NUL, which stores use as the separator of names, and half of a surrogate
	 * pair, which UTF-8 cannot represent: all such names would share one lock.
	 */
	private static void checkName(String name) {
		Assert.hasText(name, "The name of a lock must not be blank");
		Assert.isTrue(name.length() <= LONGEST_NAME, () -> "The name of a lock must not be longer than " + LONGEST_NAME
				+ " characters but has " + name.length() + ": '" + name.substring(0, 50) + "...'; use a digest of it");
		int codePoint;
		for (int i = 0; i < name.length(); i += Character.charCount(codePoint)) {
			codePoint = name.codePointAt(i);
			if (codePoint == 0 || Character.getType(codePoint) == Character.SURROGATE) {
				String escaped = name.replace(Character.toString(codePoint), String.format("\\u%04x", codePoint));
				throw new IllegalArgumentException("The name of a lock must be text that can be written as UTF-8, but '"
						+ escaped + "' has " + ((codePoint == 0) ? "a NUL character" : "half of a surrogate pair")
						+ " at position " + i + "; encode binary data in hexadecimal or Base64");
			}
		}
	}

	private static String name(List<String> names) {
		return (names.size() == 1) ? names.get(0) : String.join(" + ", names);
	}

	/**
	 * Return the name of the lock, or the names of all locks in one text, for messages.
	 */
	public String name() {
		return name(this.names);
	}

	/**
	 * Return this request for another lock.
	 * @param name name of the lock
	 */
	public LockRequest name(String name) {
		return names(List.of(name));
	}

	/**
	 * Return this request for several other locks at once.
	 * @param names names of the locks, at least one
	 * @see #allOf(String...)
	 */
	public LockRequest names(Collection<String> names) {
		return new LockRequest(List.copyOf(names), this.group, this.waitTime, this.leaseTime, this.renew,
				this.minHoldTime, this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting,
				this.onLost, this.release, this.reason);
	}

	/** Return this request with another group, a name for metrics. */
	public LockRequest group(@Nullable String group) {
		return new LockRequest(this.names, group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/** Return this request with another time to wait; zero for one attempt. */
	public LockRequest waitTime(@Nullable Duration waitTime) {
		return new LockRequest(this.names, this.group, waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/** Return this request with another lease time, for a holder that dies. */
	public LockRequest leaseTime(@Nullable Duration leaseTime) {
		return new LockRequest(this.names, this.group, this.waitTime, leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/** Return this request with or without renewal while the lock is held. */
	public LockRequest renew(@Nullable Boolean renew) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/** Return this request with another minimum hold time. */
	public LockRequest minHoldTime(@Nullable Duration minHoldTime) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/** Return this request with another maximum hold time; zero for no limit. */
	public LockRequest maxHoldTime(@Nullable Duration maxHoldTime) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/**
	 * Return this request with another time for which the lock is retained.
	 * @param retainTime how long this instance keeps the lock after its release; zero to
	 * keep no lock
	 */
	public LockRequest retainTime(@Nullable Duration retainTime) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/** Return this request with or without strict order over all instances. */
	public LockRequest fair(boolean fair) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, fair, this.permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/**
	 * Return this request for a lock that any number of callers share, while nobody holds
	 * the lock exclusively.
	 */
	public LockRequest shared() {
		return permits(UNLIMITED);
	}

	/** Return this request with another number of callers at the same time. */
	public LockRequest permits(int permits) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, permits, this.maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/**
	 * Return this request with another limit of waiting callers.
	 * @param maxWaiting how many callers of this instance may wait for the lock at the
	 * same time; zero for no limit
	 */
	public LockRequest maxWaiting(@Nullable Integer maxWaiting) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, maxWaiting, this.onLost, this.release,
				this.reason);
	}

	/** Return this request with another policy for a lost lease. */
	public LockRequest onLost(@Nullable OnLost onLost) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, onLost, this.release,
				this.reason);
	}

	/**
	 * Return this request with another {@link LockRelease}.
	 * @param release whether the release waits for the store
	 */
	public LockRequest release(@Nullable LockRelease release) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, release,
				this.reason);
	}

	/** Return this request with another reason, for diagnostics. */
	public LockRequest reason(@Nullable String reason) {
		return new LockRequest(this.names, this.group, this.waitTime, this.leaseTime, this.renew, this.minHoldTime,
				this.maxHoldTime, this.retainTime, this.fair, this.permits, this.maxWaiting, this.onLost, this.release,
				reason);
	}

	/**
	 * Return this request with the values of the defaults where the request has none.
	 */
	@Internal
	public LockRequest withDefaults(LockDefaults defaults) {
		return new LockRequest(this.names, this.group, either(this.waitTime, defaults.waitTime()),
				either(this.leaseTime, defaults.leaseTime()), this.renew, this.minHoldTime,
				either(this.maxHoldTime, defaults.maxHoldTime()), either(this.retainTime, defaults.retainTime()),
				this.fair, this.permits, either(this.maxWaiting, defaults.maxWaiting()),
				either(this.onLost, defaults.onLost()), either(this.release, defaults.release()), this.reason);
	}

	private static <T> @Nullable T either(@Nullable T own, @Nullable T other) {
		return (own != null) ? own : other;
	}

	/**
	 * Return whether nobody else may hold the lock at the same time.
	 */
	public boolean isExclusive() {
		return this.permits == 1;
	}

	/**
	 * Return whether any number of callers may share the lock.
	 */
	public boolean isShared() {
		return this.permits == UNLIMITED;
	}

}
