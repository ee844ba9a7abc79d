package io.github.lockboot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.aop.lock.LockedMethodDefaults;
import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.autoconfigure.store.LockBackends;

/**
 * Converts the properties into the defaults of all locks, or of one name.
 */
@Internal
public final class NamedLockDefaults {

	private NamedLockDefaults() {
	}

	/** Return the defaults of all locks. */
	public static LockDefaults of(LockProperties properties) {
		return new LockDefaults(properties.getWaitTime(), properties.getLeaseTime(), properties.getOnLost(),
				properties.getMaxHoldTime(), properties.getRelease(), properties.getRetainTime());
	}

	static LockedMethodDefaults of(LockProperties properties, String name) {
		LockProperties.Named named = either(RelaxedNames.find(properties.getLocks(), name), new LockProperties.Named());
		return new LockedMethodDefaults(either(named.getWaitTime(), properties.getWaitTime()),
				(named.getLeaseTime() != null) ? named.getLeaseTime() : leaseTime(properties),
				either(named.getRenew(), true), named.getMinHoldTime(),
				(named.getMaxHoldTime() != null) ? named.getMaxHoldTime() : properties.getMaxHoldTime(),
				(named.getRetainTime() != null) ? named.getRetainTime() : properties.getRetainTime(),
				either(named.getOnNotAcquired(), properties.getOnNotAcquired()),
				either(named.getOnLost(), properties.getOnLost()),
				(named.getRelease() != null) ? named.getRelease() : properties.getRelease());
	}

	/** Return the lease time, or {@code null} if the leases are those of the store. */
	private static @Nullable Duration leaseTime(LockProperties properties) {
		LockBackend backend = LockBackends.find(properties.getBackend());
		return (backend != null && backend.refused().containsKey(LockBackend.Setting.LEASE_TIME)) ? null
				: properties.getLeaseTime();
	}

	private static <T> T either(@Nullable T named, T general) {
		return (named != null) ? named : general;
	}

}
