package io.github.lockboot.cache.aspect;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the annotations of one method say.
 *
 * @param read where its results are kept, or {@code null} if nowhere
 * @param writes what is done after it has returned, in order
 * @param kind how its results are
 * @param parameters how many of its arguments a caller has given
 */
record CachedMethod(@Nullable CacheRead read, List<CacheWrite> writes, ResultKind kind, int parameters) {

}
