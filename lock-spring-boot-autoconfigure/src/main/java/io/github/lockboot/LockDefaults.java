package io.github.lockboot;

import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * What a template uses where a {@link LockRequest} says nothing.
 *
 * @param waitTime how long to wait for a busy lock; zero tries once
 * @param leaseTime how long the store keeps a lock whose holder died
 * @param onLost what happens to a section whose lease is lost
 * @param maxHoldTime longest hold, at least 10 ms; {@code null} or zero for no limit
 * @since 1.0.0
 */
public record LockDefaults(Duration waitTime, Duration leaseTime, OnLost onLost, @Nullable Duration maxHoldTime) {

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

	private static final Duration LONGEST_LEASE = Duration.ofDays(365);

	/**
	 * Check the defaults as soon as they are made.
	 * @throws IllegalArgumentException if the wait time is negative, the lease outside 10
	 * ms to 365 days or the longest hold too short
	 */
	public LockDefaults {
		checkWaitTime(waitTime, () -> "by default");
		checkLeaseTime(leaseTime, () -> "by default");
		if (maxHoldTime != null) {
			checkMaxHoldTime(maxHoldTime, () -> "by default");
		}
	}

	/**
	 * Defaults without a longest hold.
	 * @param waitTime how long to wait for a busy lock; zero tries once
	 * @param leaseTime how long the store keeps a lock whose holder died
	 * @param onLost what happens to a section whose lease is lost
	 */
	public LockDefaults(Duration waitTime, Duration leaseTime, OnLost onLost) {
		this(waitTime, leaseTime, onLost, null);
	}

	/**
	 * Wait 3 seconds, lease 30 seconds, {@link OnLost#LOG}.
	 * @return the defaults of the library
	 */
	public static LockDefaults defaults() {
		return new LockDefaults(Duration.ofSeconds(3), Duration.ofSeconds(30), OnLost.LOG);
	}

	/**
	 * The same defaults with another wait time.
	 * @param waitTime how long to wait; zero tries once
	 * @return new defaults
	 */
	public LockDefaults withWaitTime(Duration waitTime) {
		return new LockDefaults(waitTime, this.leaseTime, this.onLost, this.maxHoldTime);
	}

	/**
	 * The same defaults with another lease.
	 * @param leaseTime how long a lock outlives a dead holder
	 * @return new defaults
	 */
	public LockDefaults withLeaseTime(Duration leaseTime) {
		return new LockDefaults(this.waitTime, leaseTime, this.onLost, this.maxHoldTime);
	}

	/**
	 * The same defaults with another answer to a lost lease.
	 * @param onLost what happens to a section
	 * @return new defaults
	 */
	public LockDefaults withOnLost(OnLost onLost) {
		return new LockDefaults(this.waitTime, this.leaseTime, onLost, this.maxHoldTime);
	}

	/**
	 * The same defaults with another longest hold.
	 * @param maxHoldTime how long a lock is held at most; {@code null} or zero for no
	 * limit
	 * @return new defaults
	 */
	public LockDefaults withMaxHoldTime(@Nullable Duration maxHoldTime) {
		return new LockDefaults(this.waitTime, this.leaseTime, this.onLost, maxHoldTime);
	}

	static void checkWaitTime(Duration waitTime, Supplier<String> whose) {
		Assert.isTrue(!waitTime.isNegative(),
				() -> "The wait time " + whose.get() + " must not be negative but is " + text(waitTime));
	}

	static void checkMinHoldTime(Duration minHoldTime, Supplier<String> whose) {
		Assert.isTrue(!minHoldTime.isNegative(),
				() -> "The minimal hold time " + whose.get() + " must not be negative but is " + text(minHoldTime));
		Assert.isTrue(minHoldTime.compareTo(LONGEST_LEASE) <= 0, () -> "The minimal hold time " + whose.get()
				+ " must not be longer than " + LONGEST_LEASE.toDays() + " days but is " + text(minHoldTime));
	}

	static void checkMaxHoldTime(Duration maxHoldTime, Supplier<String> whose) {
		Assert.isTrue(maxHoldTime.isZero() || maxHoldTime.compareTo(SHORTEST_LEASE) >= 0,
				() -> "The maximal hold time " + whose.get() + " must be at least " + SHORTEST_LEASE.toMillis()
						+ " ms, or zero for no limit, but is " + text(maxHoldTime));
	}

	static void checkLeaseTime(Duration leaseTime, Supplier<String> whose) {
		Assert.isTrue(leaseTime.compareTo(SHORTEST_LEASE) >= 0 && leaseTime.compareTo(LONGEST_LEASE) <= 0,
				() -> "The lease time " + whose.get() + " must be between " + SHORTEST_LEASE.toMillis() + " ms and "
						+ LONGEST_LEASE.toDays() + " days but is " + text(leaseTime));
	}

	/** As properties and annotations are written: 1m30s, and not PT1M30S. */
	static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
	}

}
