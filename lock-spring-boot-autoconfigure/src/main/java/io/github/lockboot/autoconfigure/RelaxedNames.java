package io.github.lockboot.autoconfigure;

import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Finds the settings of a name. An environment variable can't hold dashes, dots or upper
 * case, so {@code LOCK_LOCKS_ENDOFDAY_WAITTIME} makes settings for {@code endofday},
 * which stand for the name {@code end-of-day} too.
 */
@Internal
public final class RelaxedNames {

	private RelaxedNames() {
	}

	public static <T> @Nullable T find(Map<String, T> settings, String name) {
		T exact = settings.get(name);
		return (exact != null) ? exact : settings.get(uniform(name));
	}

	/** Returns whether settings of one name are for the name in an annotation. */
	static boolean isFor(String settings, String name) {
		return settings.equals(name) || settings.equals(uniform(name));
	}

	/** As Spring Boot reads an element of a variable's name. */
	static String uniform(String name) {
		return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
	}

}
