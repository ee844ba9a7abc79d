package io.github.lockboot.cache.aop;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodInterceptor;
import io.github.lockboot.aop.ProxyCheck;
import io.github.lockboot.cache.CacheException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.codec.TypeShape;

/**
 * Finds out why a method would not be cached as its annotation says.
 */
final class CachedMethodCheck {

	private final AnnotatedMethodInterceptor<CacheDeclaration, CachedMethod> methods;

	private final ProxyCheck proxies;

	private final CacheOperations operations;

	/** By name of the cache, then by shape of the values: the first method. */
	private final Map<String, Map<Integer, String>> uses = new TreeMap<>();

	CachedMethodCheck(AnnotatedMethodInterceptor<CacheDeclaration, CachedMethod> methods, CacheOperations operations) {
		this.methods = methods;
		this.proxies = new ProxyCheck(methods, "cache", "cached");
		this.operations = operations;
	}

	/** Return what is wrong with a method. */
	@Nullable String problemOf(AnnotatedMethod<CacheDeclaration> cached) {
		String problem = this.proxies.problemOf(cached);
		return (problem != null) ? cached.describe() + " " + problem : problemOfAnnotations(cached);
	}

	/**
	 * Return which caches have methods whose values are not alike: they overwrite each
	 * other's entries.
	 */
	List<String> warnings() {
		return this.uses.entrySet()
			.stream()
			.filter((cache) -> cache.getValue().size() > 1)
			.map((cache) -> "Cache '" + cache.getKey() + "' has values of the type "
					+ cache.getValue().values().stream().collect(Collectors.joining(", and of the type "))
					+ ": where their keys are equal they miss each other's entries and overwrite them."
					+ " Give each type a cache of its own by another name, or all methods one type")
			.toList();
	}

	private @Nullable String problemOfAnnotations(AnnotatedMethod<CacheDeclaration> cached) {
		try {
			CachedMethod found = this.methods.find(cached.method(), cached.beanType());
			if (found != null) {
				found.specs().forEach(this.operations::check);
				found.writes().forEach((write) -> this.operations.check(connecting(write.cacheName())));
				add(cached, found);
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

	void add(AnnotatedMethod<CacheDeclaration> cached, CachedMethod method) {
		method.specs()
			.forEach((spec) -> this.uses.computeIfAbsent(spec.name(), (name) -> new LinkedHashMap<>())
				.putIfAbsent(TypeShape.of(spec.type()), describe(cached, spec)));
	}

	private static String describe(AnnotatedMethod<CacheDeclaration> cached, CacheSpec<?> spec) {
		Type type = spec.type();
		return type.getTypeName() + " by " + cached.describe() + " of bean '" + cached.beanName() + "'";
	}

}
