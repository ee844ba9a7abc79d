package io.github.lockboot.observation;

import io.micrometer.common.docs.KeyName;

/**
 * What meters and observations are told apart by.
 */
enum LockTag implements KeyName {

	/** Name in the annotation, or group of the request. Few values. */
	NAME("name"),

	/** How a call or a hold ended. Few values. */
	OUTCOME("outcome"),

	/** The lock itself. Any number of values, so never a tag of a meter. */
	LOCK("lock");

	private final String key;

	LockTag(String key) {
		this.key = key;
	}

	@Override
	public String asString() {
		return this.key;
	}

}
