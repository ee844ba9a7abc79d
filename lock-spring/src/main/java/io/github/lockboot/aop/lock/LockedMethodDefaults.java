package io.github.lockboot.aop.lock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.annotation.OnNotAcquired;

/**
 * Defaults of the annotations with one name.
 *
 * @param lock defaults of the locks
 * @param leaseOfStore whether the store determines the lease instead
 * @param renew whether the lease is renewed while the method runs
 * @param minHoldTime minimum hold time, or {@code null} for none
 * @param permits permits of a semaphore as in its annotation, or {@code null} for none
 * @param onNotAcquired result of a call that did not acquire its lock
 */
@Internal
public record LockedMethodDefaults(LockDefaults lock, boolean leaseOfStore, boolean renew,
		@Nullable Duration minHoldTime, @Nullable String permits, OnNotAcquired onNotAcquired) {

}
