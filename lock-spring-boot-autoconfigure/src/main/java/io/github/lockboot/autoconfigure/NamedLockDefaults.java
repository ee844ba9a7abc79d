package io.github.lockboot.autoconfigure;

import io.github.lockboot.LockDefaults;

/**
 * Turns the properties into the values of the API.
 */
final class NamedLockDefaults {

	private NamedLockDefaults() {
	}

	static LockDefaults of(LockProperties properties) {
		return new LockDefaults(properties.getWaitTime(), properties.getLeaseTime(), properties.getOnLost());
	}

	static LockDefaults of(LockProperties properties, String name) {
		LockDefaults general = of(properties);
		LockProperties.Named named = properties.getLocks().get(name);
		return (named != null) ? merge(general, named) : general;
	}

	private static LockDefaults merge(LockDefaults general, LockProperties.Named named) {
		return new LockDefaults((named.getWaitTime() != null) ? named.getWaitTime() : general.waitTime(),
				(named.getLeaseTime() != null) ? named.getLeaseTime() : general.leaseTime(),
				(named.getOnLost() != null) ? named.getOnLost() : general.onLost());
	}

}
