package io.github.lockboot.cache.aop;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;

/**
 * What the annotations of one method say.
 *
 * @param read where its results are kept, or {@code null} if nowhere
 * @param writes what is done after it has returned, in order
 * @param runner runs the calls, as their results ask for
 * @param parameters how many of its arguments a caller has given
 * @param operations the cache, looked up at the first call, so that creating a proxy does
 * not connect
 * @param executor where evicts and puts run after asynchronous methods
 */
record CachedMethod(@Nullable CacheRead read, List<CacheWrite> writes, Runner runner, int parameters,
		Supplier<CacheOperations> operations, Executor executor) implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		return this.runner.run(new CachedCall(this, invocation, this.operations, this.executor));
	}

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
