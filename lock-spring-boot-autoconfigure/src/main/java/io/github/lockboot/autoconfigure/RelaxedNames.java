package io.github.lockboot.autoconfigure;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Finds the settings of a name. An environment variable cannot contain dashes or dots,
 * nor distinguish upper and lower case: {@code LOCK_LOCKS_ENDOFDAY_WAITTIME} defines
 * settings for {@code endofday}, which also apply to the name {@code end-of-day}.
 */
@Internal
public final class RelaxedNames {

	private static final Pattern OTHER_CHARACTERS = Pattern.compile("[^A-Za-z0-9]");

	private RelaxedNames() {
	}

	public static <T> @Nullable T find(Map<String, T> settings, String name) {
		T exact = settings.get(name);
		return (exact != null) ? exact : settings.get(uniform(name));
	}

	/** Return whether settings apply to the name in an annotation. */
	public static boolean isFor(String settings, String name) {
		return settings.equals(name) || settings.equals(uniform(name));
	}

	/** Return whether a name is probably another one, misspelt. */
	public static boolean isLike(String name, String other) {
		return KnownProperties.distance(uniform(name), uniform(other)) <= Math.min(2, other.length() / 4);
	}

	/** Return an element as Spring Boot reads it from the name of a variable. */
	static String uniform(String name) {
		return OTHER_CHARACTERS.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
	}

}
