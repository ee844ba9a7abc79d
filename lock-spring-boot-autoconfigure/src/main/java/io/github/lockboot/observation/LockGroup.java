package io.github.lockboot.observation;

import io.github.lockboot.LockRequest;

/**
 * Under which name a lock is measured.
 */
final class LockGroup {

	/** Of locks without a group: their own names may be any number. */
	private static final String NONE = "none";

	private LockGroup() {
	}

	/**
	 * Return the group of a request.
	 * @param request the request
	 * @return a name of low cardinality
	 */
	static String of(LockRequest request) {
		return (request.group() != null) ? request.group() : NONE;
	}

}
