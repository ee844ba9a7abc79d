package io.github.lockboot.autoconfigure;

import io.github.lockboot.LockException;

/**
 * Redis locks can't be set up in this application, with what to do about it. Without a
 * cause: analyzers of Boot would answer to that one.
 */
@SuppressWarnings("serial")
final class LockSetupException extends LockException {

	private static final String OTHER_BACKEND = ", or set lock.backend=local to lock within one JVM only";

	private final String action;

	private LockSetupException(String description, String action) {
		super(null, description, null);
		this.action = action;
	}

	String action() {
		return this.action;
	}

	static LockSetupException lettuceIsMissing() {
		return new LockSetupException(
				"Distributed locks need Lettuce as the Redis client, which is not on the class path.",
				"Add io.lettuce:lettuce-core" + OTHER_BACKEND + ".");
	}

	static LockSetupException lettuceIsNotUsed(Object factory) {
		return new LockSetupException(
				"Distributed locks need Lettuce as the Redis client, but the application's connection factory is a "
						+ factory.getClass().getName() + ".",
				"Set spring.data.redis.client-type=lettuce, or name a LettuceConnectionFactory bean in"
						+ " lock.redis.connection-factory" + OTHER_BACKEND + ".");
	}

	static LockSetupException serverIsNotSupported(IllegalArgumentException reason) {
		return new LockSetupException(reason.getMessage() + ".",
				"Name a LettuceConnectionFactory bean for such a Redis in lock.redis.connection-factory" + OTHER_BACKEND
						+ ".");
	}

	static LockSetupException noConnectionFactory() {
		return new LockSetupException("Distributed locks need a RedisConnectionFactory bean, and there is none.",
				"Configure Redis under spring.data.redis without excluding its auto-configuration" + OTHER_BACKEND
						+ ".");
	}

	static LockSetupException noSuchConnectionFactory(String beanName, String names) {
		return new LockSetupException(
				"The property lock.redis.connection-factory names '" + beanName
						+ "', which is no RedisConnectionFactory bean.",
				"Name one of these beans: " + (names.isEmpty() ? "(there is none)" : names) + ".");
	}

	static LockSetupException severalConnectionFactories(String names) {
		return new LockSetupException(
				"Distributed locks need one RedisConnectionFactory, but there are several and none is primary: " + names
						+ ".",
				"Name one of them in lock.redis.connection-factory, or mark one as @Primary.");
	}

}
