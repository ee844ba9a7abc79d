package io.github.lockboot.zookeeper;

/**
 * Thrown when a request was not sent, or when its node was not created.
 */
@SuppressWarnings("serial")
final class NotExecutedException extends RuntimeException {

	NotExecutedException(String message) {
		super(message);
	}

}
