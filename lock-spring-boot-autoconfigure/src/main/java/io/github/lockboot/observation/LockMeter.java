package io.github.lockboot.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;

/**
 * The meters of locks. Each is tagged by the lock's group, and never by its name, of
 * which there may be any number.
 */
enum LockMeter implements MeterDocumentation {

	/** How long callers waited for their answer, by its kind. */
	ACQUIRE("lock.acquire", Meter.Type.TIMER, LockTag.NAME, LockTag.OUTCOME),

	/** How long locks were held, until they were given back or lost. */
	HOLD("lock.hold", Meter.Type.TIMER, LockTag.NAME),

	/** Locks that are held by this instance. */
	ACTIVE("lock.active", Meter.Type.GAUGE, LockTag.NAME),

	/** Callers of this instance that have no answer yet. */
	WAITING("lock.waiting", Meter.Type.GAUGE, LockTag.NAME),

	/** Locks that were lost while they were held. */
	LOST("lock.lost", Meter.Type.COUNTER, LockTag.NAME),

	/** Leases that were extended. */
	RENEWALS("lock.renewals", Meter.Type.COUNTER, LockTag.NAME),

	/** Which part of its lease was over when a lock was renewed: a third, if in time. */
	LEASE_USED("lock.lease.used", Meter.Type.DISTRIBUTION_SUMMARY, LockTag.NAME);

	private final String name;

	private final Meter.Type type;

	private final KeyName[] tags;

	LockMeter(String name, Meter.Type type, KeyName... tags) {
		this.name = name;
		this.type = type;
		this.tags = tags;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Meter.Type getType() {
		return this.type;
	}

	@Override
	public KeyName[] getKeyNames() {
		return this.tags.clone();
	}

}
