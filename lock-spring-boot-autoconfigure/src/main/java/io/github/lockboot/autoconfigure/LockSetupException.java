package io.github.lockboot.autoconfigure;

import java.util.Locale;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;
import io.github.lockboot.autoconfigure.LockProperties.Backend;

/**
 * Locks or the cache can't be set up in this application, with what to do about it.
 * Without a cause: analyzers of Boot would answer to that one.
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
	 * Throw if locks are not kept where a property says so, since the beans were chosen
	 * ahead of time, as for a native image.
	 */
	static void checkBackend(Backend chosen, LockProperties properties) {
		if (properties.getBackend() != chosen) {
			throw new LockSetupException(
					"The application was processed ahead of time with lock.backend=" + name(chosen)
							+ " and is started with lock.backend=" + name(properties.getBackend()) + ".",
					"Set lock.backend where the application is built: it chooses the beans, which are fixed then.");
		}
	}

	private static String name(Backend backend) {
		return backend.name().toLowerCase(Locale.ROOT);
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

	public static LockSetupException serverIsNotSupported(RedisFeature feature, IllegalArgumentException reason) {
		return new LockSetupException(reason.getMessage() + ".",
				"Name a LettuceConnectionFactory bean for such a Redis in lock.redis.connection-factory, or "
						+ feature.alternative() + ".");
	}

	static LockSetupException noMasterReplica(RedisFeature feature) {
		return new LockSetupException(
				feature.needs() + " the servers of the static master and replicas, which their connection factory"
						+ " keeps to itself.",
				"Set spring.data.redis.masterreplica.nodes, or define one bean of the type"
						+ " RedisStaticMasterReplicaConfiguration and make the connection factory from it.");
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

}
