package io.github.lockboot.autoconfigure;

import io.github.lockboot.LockException;

/**
 * Locks or the cache can't be set up in this application, with what to do about it.
 * Without a cause: analyzers of Boot would answer to that one.
 */
@SuppressWarnings("serial")
final class LockSetupException extends LockException {

	private final String action;

	private LockSetupException(String description, String action) {
		super(null, description, null);
		this.action = action;
	}

	String action() {
		return this.action;
	}

	static LockSetupException lettuceIsMissing(RedisFeature feature) {
		return new LockSetupException(feature.needs() + " Lettuce as the Redis client, which is not on the class path.",
				"Add io.lettuce:lettuce-core, or " + feature.alternative() + ".");
	}

	static LockSetupException lettuceIsNotUsed(RedisFeature feature, Object factory) {
		return new LockSetupException(
				feature.needs() + " Lettuce as the Redis client, but the application's connection factory is a "
						+ factory.getClass().getName() + ".",
				lettuceFor(factory) + ", or " + feature.alternative() + ".");
	}

	/** Spring Boot's property chooses between its own two clients only. */
	private static String lettuceFor(Object factory) {
		return factory.getClass().getName().startsWith("org.springframework.")
				? "Set spring.data.redis.client-type=lettuce, or name a LettuceConnectionFactory bean in lock.redis.connection-factory"
				: "Define a LettuceConnectionFactory bean, as @Bean(defaultCandidate = false) beside the present one,"
						+ " and name it in lock.redis.connection-factory";
	}

	static LockSetupException serverIsNotSupported(RedisFeature feature, IllegalArgumentException reason) {
		return new LockSetupException(reason.getMessage() + ".",
				"Name a LettuceConnectionFactory bean for such a Redis in lock.redis.connection-factory, or "
						+ feature.alternative() + ".");
	}

	static LockSetupException noConnectionFactory(RedisFeature feature) {
		return new LockSetupException(feature.needs() + " a RedisConnectionFactory bean, and there is none.",
				"Configure Redis under spring.data.redis without excluding its auto-configuration, or "
						+ feature.alternative() + ".");
	}

	static LockSetupException noSuchConnectionFactory(String beanName, String names) {
		return new LockSetupException(
				"The property lock.redis.connection-factory names '" + beanName
						+ "', which is no RedisConnectionFactory bean.",
				"Name one of these beans: " + (names.isEmpty() ? "(there is none)" : names) + ".");
	}

	static LockSetupException severalConnectionFactories(RedisFeature feature, String names) {
		return new LockSetupException(feature.needs()
				+ " one RedisConnectionFactory, but there are several and none is primary: " + names + ".",
				"Name one of them in lock.redis.connection-factory, or mark one as @Primary.");
	}

	static LockSetupException unusableCache(IllegalArgumentException reason) {
		return new LockSetupException(reason.getMessage() + ".",
				"Correct lock.cache.caches.<name>.type of that cache, or its CacheSpec bean.");
	}

	static LockSetupException noSuchSerializer(String cacheName, String beanName, String names) {
		return new LockSetupException(
				"The property lock.cache.caches[" + cacheName + "].serializer names '" + beanName
						+ "', which is no ValueCodec bean.",
				"Define a ValueCodec bean of that name, or name one of these: "
						+ (names.isEmpty() ? "(there is none)" : names) + ".");
	}

	static LockSetupException noCodec(IllegalStateException reason) {
		return new LockSetupException(reason.getMessage() + ".",
				"Add tools.jackson.core:jackson-databind, for example by spring-boot-starter-jackson, define a ValueCodec"
						+ " bean, or " + RedisFeature.CACHE.alternative() + ".");
	}

}
