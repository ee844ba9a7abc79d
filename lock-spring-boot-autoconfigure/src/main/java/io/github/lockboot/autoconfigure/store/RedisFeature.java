package io.github.lockboot.autoconfigure.store;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.support.SpringFactoriesLoader;

import io.github.lockboot.Internal;
import io.github.lockboot.LockOperations;

/**
 * All that the auto-configuration knows of a feature that needs Redis. The artifact of
 * each feature but the locks has one such description, which
 * {@code META-INF/spring.factories} names as a {@link Provider}.
 *
 * @param prefix prefix of the properties of the feature
 * @param properties class of the properties of the feature, or {@code null} if they are
 * those of all locks
 * @param operations what applications inject
 * @param users who connects, as the subject of a sentence
 * @param needs beginning of a sentence about what the feature needs
 * @param alternative what to do without Redis, as the end of a sentence
 */
@Internal
public record RedisFeature(String prefix, @Nullable Class<?> properties, Class<?> operations, String users,
		String needs, String alternative) {

	/** Locks in Redis. */
	public static final RedisFeature LOCKS = new RedisFeature("lock", null, LockOperations.class, "Locks",
			"Distributed locks need", "set lock.backend=local to lock within one JVM only");

	/** Return the features of other artifacts on the class path. */
	public static List<RedisFeature> others() {
		return SpringFactoriesLoader.forDefaultResourceLocation(RedisFeature.class.getClassLoader())
			.load(Provider.class)
			.stream()
			.map(Provider::get)
			.toList();
	}

	/**
	 * Describes a feature. Spring creates the implementations by their default
	 * constructor.
	 */
	@Internal
	@FunctionalInterface
	public interface Provider extends Supplier<RedisFeature> {

	}

}
