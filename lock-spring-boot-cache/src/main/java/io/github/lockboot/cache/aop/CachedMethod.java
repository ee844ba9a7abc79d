package io.github.lockboot.cache.aop;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSpec;

/**
 * What the annotations of one method say.
 *
 * @param read where its results are kept, or {@code null} if nowhere
 * @param writes what is done after it has returned, in order
 * @param runner runs the calls, as their results ask for
 * @param parameters how many of its arguments a caller has given
 */
record CachedMethod(@Nullable CacheRead read, List<CacheWrite> writes, Runner runner, int parameters) {

	boolean evictsBefore() {
		return this.writes.stream().anyMatch((write) -> write instanceof CacheWrite.Evict evict && evict.early());
	}

	/** Return the caches of which it knows the type of the values. */
	Stream<CacheSpec<?>> specs() {
		Stream<CacheSpec<?>> put = this.writes.stream()
			.filter(CacheWrite.Put.class::isInstance)
			.map((write) -> ((CacheWrite.Put) write).spec());
		return (this.read != null) ? Stream.concat(Stream.of(this.read.spec()), put) : put;
	}

	/**
	 * Runs the calls of one method. Thread-safe.
	 */
	@FunctionalInterface
	interface Runner {

		/** Run one call, or begin to. */
		@Nullable Object run(CachedCall call) throws Throwable;

	}

}
