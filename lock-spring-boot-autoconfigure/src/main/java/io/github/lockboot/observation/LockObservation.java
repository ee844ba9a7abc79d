package io.github.lockboot.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of locks. Their names are none of the meters', because an application
 * may make meters of observations too.
 */
enum LockObservation implements ObservationDocumentation {

	/** From the call for a lock to its answer. */
	WAIT("lock.wait", "wait for lock"),

	/** From the hold to its end. */
	HOLD("lock.held", "hold lock");

	private final String name;

	private final String contextualName;

	LockObservation(String name, String contextualName) {
		this.name = name;
		this.contextualName = contextualName;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public String getContextualName() {
		return this.contextualName;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return new KeyName[] { LockTag.NAME, LockTag.OUTCOME };
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return new KeyName[] { LockTag.LOCK };
	}

}
