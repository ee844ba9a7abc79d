package io.github.lockboot.autoconfigure;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;

/**
 * Thrown when locks or the cache cannot be set up in this application. The exception
 * contains the action to take. It has no cause, because Spring Boot's failure analyzers
 * would analyze the cause instead.
 */
@Internal
@SuppressWarnings("serial")
public final class LockSetupException extends LockException {

	private final String action;

	public LockSetupException(String description, String action) {
		super(null, description, null);
		this.action = action;
	}

	public String action() {
		return this.action;
	}

	/**
	 * Throw an exception if the application was processed ahead of time, for example for
	 * a native image, with another backend than the one that the property names now.
	 */
	public static void checkBackend(String chosen, LockProperties properties) {
		if (!properties.backend().equalsIgnoreCase(chosen)) {
			throw new LockSetupException(
					"The application was processed ahead of time with lock.backend=" + chosen
							+ " and is started with lock.backend=" + properties.backend() + ".",
					"Set lock.backend when you build the application: the property chooses the beans, and the"
							+ " beans are fixed by the build.");
		}
	}

}
