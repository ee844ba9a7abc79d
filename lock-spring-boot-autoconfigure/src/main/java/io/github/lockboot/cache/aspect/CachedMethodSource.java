package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;

/**
 * Keeps what the annotations of every method say, parsed at the first call at the latest.
 */
final class CachedMethodSource {

	private final CachedMethodParser parser;

	private final Map<MethodClassKey, CachedMethod> parsed = new ConcurrentHashMap<>();

	CachedMethodSource(CachedMethodParser parser) {
		this.parser = parser;
	}

	@Nullable CachedMethod find(Method method, Class<?> targetClass) {
		MethodClassKey id = new MethodClassKey(method, targetClass);
		CachedMethod known = this.parsed.get(id);
		if (known != null) {
			return known;
		}
		CacheDeclaration declaration = CacheDeclaration.find(method, targetClass);
		if (declaration == null) {
			return null;
		}
		CachedMethod found = this.parser.parse(declaration, targetClass);
		this.parsed.put(id, found);
		return found;
	}

}
