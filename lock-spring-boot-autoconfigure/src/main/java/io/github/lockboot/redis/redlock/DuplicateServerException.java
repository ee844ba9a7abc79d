package io.github.lockboot.redis.redlock;

/**
 * Two addresses lead to one server, which could form a majority alone.
 */
@SuppressWarnings("serial")
final class DuplicateServerException extends RuntimeException {

	DuplicateServerException(String address, String other) {
		super(address + " and " + other + " are the same Redis server, which has one vote only:"
				+ " name each master by one address");
	}

}
