package io.github.lockboot.cache.key;

import java.lang.reflect.Field;
import java.util.Objects;

import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;
import io.github.lockboot.cache.CacheKey;

/**
 * Converts the keys that Spring generates from arguments. Their text is the same for
 * {@code ("a, b", "c")} and {@code ("a", "b, c")}, and their hash differs between JVMs.
 */
@Internal
public final class SpringKeys {

	static final String PARTS = "params";

	private SpringKeys() {
	}

	/**
	 * Return a key that is the same in every JVM.
	 * @return the parts of a key of Spring's own class; any other key as it is
	 */
	public static Object of(Object key) {
		return (key instanceof SimpleKey simple) ? CacheKey.of(parts(simple)) : key;
	}

	private static Object[] parts(SimpleKey key) {
		Field parts = ReflectionUtils.findField(SimpleKey.class, PARTS, Object[].class);
		Assert.state(parts != null, "This version of Spring does not show the parts of a SimpleKey; name a key");
		ReflectionUtils.makeAccessible(parts);
		return (Object[]) Objects.requireNonNull(ReflectionUtils.getField(parts, key));
	}

}
