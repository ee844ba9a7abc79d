package io.github.lockboot.cache.aop;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.codec.TypeShape;

/**
 * Which caches have methods whose values are not alike: an entry of the one is nothing to
 * the other, which overwrites it.
 */
final class SharedCaches {

	/** By name of the cache, then by shape of the values: the first method. */
	private final Map<String, Map<Integer, String>> uses = new TreeMap<>();

	void add(AnnotatedMethod<CacheDeclaration> cached, CachedMethod method) {
		method.specs()
			.forEach((spec) -> this.uses.computeIfAbsent(spec.name(), (name) -> new LinkedHashMap<>())
				.putIfAbsent(TypeShape.of(spec.type()), describe(cached, spec)));
	}

	private static String describe(AnnotatedMethod<CacheDeclaration> cached, CacheSpec<?> spec) {
		Type type = spec.type();
		return type.getTypeName() + " by " + cached.describe() + " of bean '" + cached.beanName() + "'";
	}

	/** Return one sentence for each cache. */
	List<String> conflicts() {
		return this.uses.entrySet()
			.stream()
			.filter((cache) -> cache.getValue().size() > 1)
			.map((cache) -> "Cache '" + cache.getKey() + "' has values of the type "
					+ cache.getValue().values().stream().collect(Collectors.joining(", and of the type "))
					+ ": where their keys are equal they miss each other's entries and overwrite them."
					+ " Give each type a cache of its own by another name, or all methods one type")
			.toList();
	}

}
