package io.github.lockboot.autoconfigure.store;

import java.util.List;
import java.util.function.Supplier;

import org.springframework.core.io.support.SpringFactoriesLoader;

import io.github.lockboot.Internal;

/**
 * All that the auto-configuration of locks knows of a feature that connects to Redis: of
 * the locks in Redis themselves, and of those in other artifacts, which
 * {@code META-INF/spring.factories} names as a {@link Provider}.
 *
 * @param prefix prefix of the properties of the feature, one of which is {@code enabled}
 * @param properties class of these properties
 * @param template type of the beans that applications inject
 * @param users who connects, as the subject of a sentence
 * @param needs the beginning of a sentence about what is missing
 * @param alternative what to do without Redis, as the end of a sentence
 */
@Internal
public record RedisFeature(String prefix, Class<?> properties, Class<?> template, String users, String needs,
		String alternative) {

	/** Return the features of other artifacts on the class path. */
	public static List<RedisFeature> ofOtherArtifacts() {
		return SpringFactoriesLoader.forDefaultResourceLocation(RedisFeature.class.getClassLoader())
			.load(Provider.class)
			.stream()
			.map(Provider::get)
			.toList();
	}

	/** Return the name of the property that switches the feature off. */
	public String enabled() {
		return this.prefix + ".enabled";
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
