package io.github.lockboot.redis.redlock;

/**
 * Two addresses lead to one server, which could be a majority of its own.
 */
@SuppressWarnings("serial")
final class DuplicateServerException extends RuntimeException {

	DuplicateServerException(String address, String other) {
		super(address + " and " + other + " are the same Redis server, which has one vote only:"
				+ " name each master by one address");
	}

}
