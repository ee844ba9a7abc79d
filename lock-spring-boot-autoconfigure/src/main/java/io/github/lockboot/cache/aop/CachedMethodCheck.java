package io.github.lockboot.cache.aop;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodSource;
import io.github.lockboot.aop.ProxyCheck;
import io.github.lockboot.cache.CacheException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;

/**
 * Finds out why a method would not be cached as its annotation says.
 */
final class CachedMethodCheck {

	private final AnnotatedMethodSource<CacheDeclaration, CachedMethod> methods;

	private final ProxyCheck proxies;

	private final CacheOperations operations;

	private final SharedCaches shared = new SharedCaches();

	CachedMethodCheck(AnnotatedMethodSource<CacheDeclaration, CachedMethod> methods, CacheInterceptor interceptor,
			CacheOperations operations) {
		this.methods = methods;
		this.proxies = new ProxyCheck(interceptor, "cache", "cached");
		this.operations = operations;
	}

	/**
	 * Return what is wrong with a method.
	 * @return a sentence with the cure, or {@code null} if nothing is wrong
	 */
	@Nullable String problemOf(AnnotatedMethod<CacheDeclaration> cached) {
		String problem = this.proxies.problemOf(cached);
		return (problem != null) ? cached.describe() + " " + problem : problemOfAnnotations(cached);
	}

	/** Return probable mistakes of the methods that were checked. */
	List<String> warnings() {
		return this.shared.conflicts();
	}

	private @Nullable String problemOfAnnotations(AnnotatedMethod<CacheDeclaration> cached) {
		try {
			CachedMethod found = this.methods.find(cached.method(), cached.beanType());
			if (found != null) {
				found.specs().forEach(this.operations::check);
				found.writes().forEach((write) -> this.operations.check(connecting(write.cacheName())));
				this.shared.add(cached, found);
			}
			return null;
		}
		catch (CacheException ex) {
			return String.valueOf(ex.getMessage()).lines().reduce((first, last) -> last.trim()).orElse("");
		}
		catch (IllegalArgumentException ex) {
			return cached.describe() + ": " + ex.getMessage();
		}
	}

	/** An evict knows no type, but is to connect at the start too. */
	private static CacheSpec<?> connecting(String cacheName) {
		return CacheSpec.of(cacheName, String.class).with((settings) -> settings.withLocalTtl(Duration.ZERO));
	}

}
