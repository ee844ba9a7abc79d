package io.github.lockboot.autoconfigure;

import java.util.Locale;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;
import io.github.lockboot.autoconfigure.LockProperties.Backend;

/**
 * Locks or the cache can't be set up in this application. Says what to do about it. Has
 * no cause, because Boot's failure analyzers would analyze that one instead.
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
	 * Throw an exception if the application was processed ahead of time, as for a native
	 * image, with another backend than the property names now.
	 */
	public static void checkBackend(Backend chosen, LockProperties properties) {
		if (properties.getBackend() != chosen) {
			throw new LockSetupException(
					"The application was processed ahead of time with lock.backend=" + name(chosen)
							+ " and is started with lock.backend=" + name(properties.getBackend()) + ".",
					"Set lock.backend when you build the application: it chooses the beans, which are fixed then.");
		}
	}

	private static String name(Backend backend) {
		return backend.name().toLowerCase(Locale.ROOT);
	}

}
