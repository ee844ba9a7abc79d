package io.github.lockboot.aop.lock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRelease;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.OnNotAcquired;

/**
 * Defaults of the annotations with one name.
 *
 * @param waitTime how long to wait for all locks of a call
 * @param leaseTime how long a lock remains after its holder has died, or {@code null} for
 * the default of the template
 * @param renew whether the lease is renewed while the method runs
 * @param minHoldTime minimum hold time, or {@code null} for none
 * @param maxHoldTime maximum hold time, or {@code null} for the default of the template
 * @param retainTime how long a released lock is kept, or {@code null} for the default of
 * the template
 * @param onNotAcquired result of a call that did not acquire its lock
 * @param onLost what happens if the lock is lost during the call
 * @param release whether the release waits for the store, or {@code null} for the default
 * of the template
 * @since 1.0.0
 */
@Internal
public record LockedMethodDefaults(Duration waitTime, @Nullable Duration leaseTime, boolean renew,
		@Nullable Duration minHoldTime, @Nullable Duration maxHoldTime, @Nullable Duration retainTime,
		OnNotAcquired onNotAcquired, OnLost onLost, @Nullable LockRelease release) {

	/**
	 * Return the defaults of a template, with renewal and {@link OnNotAcquired#THROW}.
	 */
	public static LockedMethodDefaults of(LockDefaults defaults) {
		return new LockedMethodDefaults(defaults.waitTime(), defaults.leaseTime(), true, null, defaults.maxHoldTime(),
				defaults.retainTime(), OnNotAcquired.THROW, defaults.onLost(), defaults.release());
	}

}
