package io.github.lockboot.cache.aop;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;

/**
 * The parsed annotations of one method.
 *
 * @param writes changes of caches after it has returned, in order
 * @param parameters number of arguments that a caller passes
 * @param lookup returns the cache at the first call, so that creating a proxy does not
 * connect
 * @param executor where evicts and puts run after asynchronous methods
 */
record CachedMethod(@Nullable CacheRead read, List<CacheWrite> writes, int parameters, Runner runner,
		Supplier<CacheOperations> lookup, AtomicReference<@Nullable CacheOperations> found,
		Executor executor) implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		return this.runner.run(new CachedCall(this, invocation));
	}

	/**
	 * Return the cache. No lock is held during the lookup, since other threads may create
	 * beans meanwhile.
	 */
	CacheOperations operations() {
		CacheOperations known = this.found.get();
		if (known == null) {
			known = this.lookup.get();
			this.found.set(known);
		}
		return known;
	}

	boolean evictsBefore() {
		return this.writes.stream().anyMatch((write) -> write instanceof CacheWrite.Evict evict && evict.early());
	}

	/** Return the caches whose type of values the method determines. */
	List<CacheSpec<?>> specs() {
		Stream<CacheSpec<?>> puts = this.writes.stream()
			.flatMap((write) -> (write instanceof CacheWrite.Put put) ? Stream.of(put.spec()) : Stream.empty());
		return Stream.concat(Stream.ofNullable(this.read).map(CacheRead::spec), puts).toList();
	}

	@FunctionalInterface
	interface Runner {

		@Nullable Object run(CachedCall call) throws Throwable;

	}

}
