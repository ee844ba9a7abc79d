package io.github.lockboot.zookeeper;

/**
 * A request was not sent, or its node was not created.
 */
@SuppressWarnings("serial")
final class NotExecutedException extends RuntimeException {

	NotExecutedException(String message) {
		super(message);
	}

}
