package io.github.lockboot.cache.aop;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodInterceptor;
import io.github.lockboot.aop.ProxyCheck;
import io.github.lockboot.cache.CacheException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.codec.TypeShape;

/**
 * One sentence for each problem of the annotated methods, with class, method and
 * solution.
 *
 * @param findings why methods would not be cached, or fail at every call
 * @param warnings what works but is probably a mistake
 */
@Internal
public record CacheAnnotationsReport(List<String> findings, List<String> warnings) {

	static CacheAnnotationsReport of(List<AnnotatedMethod<CacheDeclaration>> methods,
			AnnotatedMethodInterceptor<CacheDeclaration, CachedMethod> interceptor, CacheOperations operations,
			@Nullable String transactionProblem) {
		ProxyCheck proxies = new ProxyCheck(interceptor, "cache", "cached");
		// by name of the cache, then by shape of the values: the first method
		Map<String, Map<Integer, String>> uses = new TreeMap<>();
		Set<String> findings = new LinkedHashSet<>();
		for (AnnotatedMethod<CacheDeclaration> cached : methods) {
			String problem = proxies.problemOf(cached);
			if (problem != null) {
				findings.add(cached.describe() + " " + problem);
				continue;
			}
			try {
				CachedMethod found = Objects.requireNonNull(interceptor.find(cached.method(), cached.beanType()));
				found.specs().forEach(operations::check);
				found.writes().forEach((write) -> operations.check(connecting(write.cacheName())));
				found.specs()
					.forEach((spec) -> uses.computeIfAbsent(spec.name(), (name) -> new LinkedHashMap<>())
						.putIfAbsent(TypeShape.of(spec.type()), spec.type().getTypeName() + " by " + cached.describe()
								+ " of bean '" + cached.beanName() + "'"));
			}
			catch (CacheException ex) {
				findings.add(String.valueOf(ex.getMessage()).lines().reduce((first, last) -> last.trim()).orElse(""));
			}
			catch (IllegalArgumentException ex) {
				findings.add(cached.describe() + ": " + ex.getMessage());
			}
		}
		if (transactionProblem != null) {
			findings.add(transactionProblem);
		}
		return new CacheAnnotationsReport(List.copyOf(findings), warnings(uses));
	}

	/**
	 * Return a cache for an evict, which has no type of values, but connects at the start
	 * like the others. It must not be the first to define local copies, whose settings
	 * the others would share.
	 */
	private static CacheSpec<?> connecting(String cacheName) {
		return CacheSpec.of(cacheName, String.class).with(CacheSettings::withoutCopies);
	}

	/**
	 * Warn of methods whose values differ in type, since they overwrite each other's
	 * entries.
	 */
	private static List<String> warnings(Map<String, Map<Integer, String>> uses) {
		return uses.entrySet()
			.stream()
			.filter((cache) -> cache.getValue().size() > 1)
			.map((cache) -> "Cache '" + cache.getKey() + "' has values of the type "
					+ String.join(", and of the type ", cache.getValue().values())
					+ ": where their keys are equal they miss each other's entries and overwrite them."
					+ " Give each type a cache of its own by another name, or all methods one type")
			.toList();
	}

}
