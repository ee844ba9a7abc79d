package io.github.lockboot.aop.lock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.OnNotAcquired;

/**
 * What an annotation of one name gets where it says nothing.
 *
 * @param waitTime how long to wait for all locks of a call
 * @param leaseTime how long a lock outlives its dead holder
 * @param renew whether the lease is renewed while the method runs
 * @param minHoldTime shortest hold, or {@code null} for none
 * @param maxHoldTime longest hold, or {@code null} for that of the template
 * @param onNotAcquired what a caller gets whose lock stays busy
 * @param onLost what happens to a method whose lock is lost
 * @since 1.0.0
 */
@Internal
public record LockedMethodDefaults(Duration waitTime, Duration leaseTime, boolean renew, @Nullable Duration minHoldTime,
		@Nullable Duration maxHoldTime, OnNotAcquired onNotAcquired, OnLost onLost) {

	/** The defaults of a template, renewed, and {@link OnNotAcquired#THROW}. */
	public static LockedMethodDefaults of(LockDefaults defaults) {
		return new LockedMethodDefaults(defaults.waitTime(), defaults.leaseTime(), true, null, defaults.maxHoldTime(),
				OnNotAcquired.THROW, defaults.onLost());
	}

}
