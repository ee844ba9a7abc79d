package io.github.lockboot.cache;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A key of any number of parts. Keys are equal if their parts are equal.
 *
 * @param parts the parts in order
 * @since 1.0.0
 */
public record CacheKey(List<@Nullable Object> parts) {

	/** Create a key from a copy of the parts. */
	public CacheKey {
		parts = Collections.unmodifiableList(Arrays.asList(parts.toArray()));
	}

	/** Create a key of parts, each of them a valid key or {@code null}. */
	public static CacheKey of(@Nullable Object... parts) {
		return new CacheKey(Arrays.asList(parts));
	}

}
