package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;

import io.github.lockboot.LockException;

/**
 * Keeps the attributes of every method, parsed at the first call at the latest.
 */
final class LockAttributesSource {

	private final LockDeclarationFinder finder;

	private final LockAttributesParser parser;

	private final Map<MethodClassKey, LockAttributes> parsed = new ConcurrentHashMap<>();

	LockAttributesSource(LockDeclarationFinder finder, LockAttributesParser parser) {
		this.finder = finder;
		this.parser = parser;
	}

	/**
	 * Return the attributes of a method.
	 * @return the attributes, or {@code null} if the method isn't annotated
	 */
	@Nullable LockAttributes find(Method method, Class<?> targetClass) {
		MethodClassKey id = new MethodClassKey(method, targetClass);
		LockAttributes attributes = this.parsed.get(id);
		return (attributes != null) ? attributes : parse(id, method, targetClass);
	}

	/**
	 * Return the name that a method's locks have in common.
	 * @return the name, or {@code null} if its annotation is invalid
	 */
	@Nullable String nameOf(LockedMethod locked) {
		try {
			LockAttributes attributes = find(locked.method(), locked.bean().type());
			return (attributes != null) ? attributes.request().group() : null;
		}
		catch (LockException ex) {
			return null;
		}
	}

	private @Nullable LockAttributes parse(MethodClassKey id, Method method, Class<?> targetClass) {
		LockDeclaration declaration = this.finder.find(method, targetClass);
		if (declaration == null) {
			return null;
		}
		LockAttributes attributes = this.parser.parse(declaration, targetClass);
		this.parsed.put(id, attributes);
		return attributes;
	}

}
