package io.github.lockboot.cache;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A key of several parts, or of none. Two keys are the same if their parts are.
 *
 * @param parts the parts in order
 * @since 1.0.0
 */
public record CacheKey(List<@Nullable Object> parts) {

	/**
	 * Keep the parts as they are now.
	 */
	public CacheKey {
		parts = Collections.unmodifiableList(Arrays.asList(parts.toArray()));
	}

	/**
	 * A key of parts.
	 * @param parts the parts, each of a kind that may be a key itself, or {@code null}
	 * @return the key
	 */
	public static CacheKey of(@Nullable Object... parts) {
		return new CacheKey(Arrays.asList(parts));
	}

}
