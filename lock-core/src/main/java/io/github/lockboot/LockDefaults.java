package io.github.lockboot;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Defaults of a template for everything that a {@link LockRequest} leaves open.
 *
 * @param waitTime how long to wait for a busy lock; zero for a single attempt
 * @param leaseTime how long the store keeps the lock if its holder dies; 10 ms to 365
 * days
 * @param onLost what happens to a section whose lease is lost
 * @param maxHoldTime longest time that a lock is held, at least 10 ms; {@code null} or
 * zero for no limit
 * @param release whether releases wait for the store; {@code null} if that depends on the
 * caller, as {@link LockRelease} describes
 * @param retainTime how long an instance keeps a lock after its release, as
 * {@link LockRequest#retainTime()} describes, at most 365 days; {@code null} or zero to
 * keep no lock
 * @param maxWaiting how many callers of an instance may wait for a lock at the same time,
 * as {@link LockRequest#maxWaiting()} describes; {@code null} or zero for no limit
 * @param application name of the application, for diagnostics, and in the names of
 * connections to Redis; empty for an application without a name. {@code null}, the
 * default, lets others see neither the application nor the host, process, thread and
 * reason of a holder, and shows no holders
 * @since 1.0.0
 */
public record LockDefaults(Duration waitTime, Duration leaseTime, OnLost onLost, @Nullable Duration maxHoldTime,
		@Nullable LockRelease release, @Nullable Duration retainTime, @Nullable Integer maxWaiting,
		@Nullable String application) {

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

	private static final Duration LONGEST = Duration.ofDays(365);

	/**
	 * Create defaults.
	 * @throws IllegalArgumentException if a time is outside its bounds, or the maximum of
	 * waiting callers is negative
	 */
	public LockDefaults {
		checkTimes(waitTime, leaseTime, null, maxHoldTime, retainTime, () -> "");
		checkMaxWaiting(maxWaiting, () -> "");
	}

	/**
	 * Create defaults without a limit of the hold time.
	 * @param waitTime how long to wait for a busy lock; zero for a single attempt
	 * @param leaseTime how long the store keeps the lock if its holder dies
	 * @param onLost what happens to a section whose lease is lost
	 */
	public LockDefaults(Duration waitTime, Duration leaseTime, OnLost onLost) {
		this(waitTime, leaseTime, onLost, null, null, null, null, null);
	}

	/**
	 * Return the defaults of the library: a wait time of 3 seconds, a lease time of 30
	 * seconds, {@link OnLost#LOG} and no limit of the hold time.
	 */
	public static LockDefaults defaults() {
		return new LockDefaults(Duration.ofSeconds(3), Duration.ofSeconds(30), OnLost.LOG);
	}

	/** Return these defaults with another wait time; zero for one attempt. */
	public LockDefaults withWaitTime(Duration waitTime) {
		return new LockDefaults(waitTime, this.leaseTime, this.onLost, this.maxHoldTime, this.release, this.retainTime,
				this.maxWaiting, this.application);
	}

	/** Return these defaults with another lease time, for holders that die. */
	public LockDefaults withLeaseTime(Duration leaseTime) {
		return new LockDefaults(this.waitTime, leaseTime, this.onLost, this.maxHoldTime, this.release, this.retainTime,
				this.maxWaiting, this.application);
	}

	/** Return these defaults with another policy for a lost lease. */
	public LockDefaults withOnLost(OnLost onLost) {
		return new LockDefaults(this.waitTime, this.leaseTime, onLost, this.maxHoldTime, this.release, this.retainTime,
				this.maxWaiting, this.application);
	}

	/** Return these defaults with another maximum hold time; zero for none. */
	public LockDefaults withMaxHoldTime(@Nullable Duration maxHoldTime) {
		return new LockDefaults(this.waitTime, this.leaseTime, this.onLost, maxHoldTime, this.release, this.retainTime,
				this.maxWaiting, this.application);
	}

	/**
	 * Return these defaults with another {@link LockRelease}.
	 * @param release whether releases wait for the store; {@code null} if that depends on
	 * the caller
	 */
	public LockDefaults withRelease(@Nullable LockRelease release) {
		return new LockDefaults(this.waitTime, this.leaseTime, this.onLost, this.maxHoldTime, release, this.retainTime,
				this.maxWaiting, this.application);
	}

	/** Return these defaults with another retain time; zero to keep no lock. */
	public LockDefaults withRetainTime(@Nullable Duration retainTime) {
		return new LockDefaults(this.waitTime, this.leaseTime, this.onLost, this.maxHoldTime, this.release, retainTime,
				this.maxWaiting, this.application);
	}

	/**
	 * Return these defaults for an application.
	 * @param application name of the application, for diagnostics; {@code null} to hide
	 * holders
	 */
	public LockDefaults withApplication(@Nullable String application) {
		return new LockDefaults(this.waitTime, this.leaseTime, this.onLost, this.maxHoldTime, this.release,
				this.retainTime, this.maxWaiting, application);
	}

	/** Return these defaults with another limit of waiting callers; zero for none. */
	public LockDefaults withMaxWaiting(@Nullable Integer maxWaiting) {
		return new LockDefaults(this.waitTime, this.leaseTime, this.onLost, this.maxHoldTime, this.release,
				this.retainTime, maxWaiting, this.application);
	}

	static void checkMaxWaiting(@Nullable Integer maxWaiting, Supplier<String> whose) {
		Assert.isTrue(maxWaiting == null || maxWaiting >= 0,
				() -> "The " + ("maximum of waiting callers " + whose.get()).strip()
						+ " must be at least 1, or zero for no limit, but is " + maxWaiting
						+ "; to let nobody wait, set a wait time of zero");
	}

	static void checkTimes(@Nullable Duration waitTime, @Nullable Duration leaseTime, @Nullable Duration minHoldTime,
			@Nullable Duration maxHoldTime, @Nullable Duration retainTime, Supplier<String> whose) {
		check(waitTime, !isBelow(waitTime, Duration.ZERO), "wait time", whose, "not be negative");
		check(leaseTime, !isBelow(leaseTime, SHORTEST_LEASE) && !isTooLong(leaseTime), "lease time", whose,
				"be between 10 ms and 365 days");
		check(minHoldTime, !isBelow(minHoldTime, Duration.ZERO), "minimum hold time", whose, "not be negative");
		check(minHoldTime, !isTooLong(minHoldTime), "minimum hold time", whose, "not be longer than 365 days");
		check(maxHoldTime, Duration.ZERO.equals(maxHoldTime) || !isBelow(maxHoldTime, SHORTEST_LEASE),
				"maximum hold time", whose, "be at least 10 ms, or zero for no limit,");
		check(retainTime, !isBelow(retainTime, Duration.ZERO) && !isTooLong(retainTime), "retain time", whose,
				"be between zero and 365 days");
	}

	private static boolean isBelow(@Nullable Duration time, Duration least) {
		return time != null && time.compareTo(least) < 0;
	}

	private static boolean isTooLong(@Nullable Duration time) {
		return time != null && time.compareTo(LONGEST) > 0;
	}

	private static void check(@Nullable Duration time, boolean valid, String what, Supplier<String> whose,
			String must) {
		if (time != null && !valid) {
			throw new IllegalArgumentException(
					"The " + (what + " " + whose.get()).strip() + " must " + must + " but is " + text(time));
		}
	}

	/** Return the longest time that is accepted, so that no computation overflows. */
	@Internal
	public static Duration longest() {
		return LONGEST;
	}

	/**
	 * Format a duration as in properties and annotations: 1m30s instead of PT1M30S. The
	 * fraction of a millisecond is left out, unless the duration is shorter than a
	 * millisecond.
	 */
	@Internal
	public static String text(Duration duration) {
		if (duration.getSeconds() == Long.MIN_VALUE) { // cannot be negated
			return duration.toString();
		}
		Duration shown = (duration.abs().compareTo(Duration.ofMillis(1)) < 0) ? duration
				: duration.truncatedTo(ChronoUnit.MILLIS);
		if (shown.isZero()) {
			return "0s";
		}
		Duration length = shown.abs();
		StringBuilder text = new StringBuilder(shown.isNegative() ? "-" : "");
		append(text, length.toDaysPart(), "d");
		append(text, length.toHoursPart(), "h");
		append(text, length.toMinutesPart(), "m");
		append(text, length.toSecondsPart(), "s");
		append(text, length.toMillisPart(), "ms");
		append(text, length.toNanosPart() / 1_000 % 1_000, "us");
		append(text, length.toNanosPart() % 1_000, "ns");
		return text.toString();
	}

	private static void append(StringBuilder text, long count, String unit) {
		if (count > 0) {
			text.append(count).append(unit);
		}
	}

}
