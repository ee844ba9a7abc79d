package io.github.lockboot.aop;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * The types that have one of some annotations somewhere: on themselves or a method, a
 * superclass or an interface, also as part of another annotation. Looks at each type
 * once, so that the methods of most beans, which have no annotation, need not be searched
 * for in their whole hierarchy. Thread-safe.
 */
final class AnnotatedTypes {

	private final Set<Class<? extends Annotation>> annotations;

	private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

	AnnotatedTypes(Collection<Class<? extends Annotation>> annotations) {
		this.annotations = Set.copyOf(annotations);
	}

	/** True also for a type whose methods can't be read: searching them will tell why. */
	boolean contains(@Nullable Class<?> type) {
		if (type == null || type.getName().startsWith("java.")) {
			return false;
		}
		Boolean annotated = this.known.get(type);
		if (annotated == null) {
			annotated = declaresAny(type) || contains(type.getSuperclass())
					|| Stream.of(type.getInterfaces()).anyMatch(this::contains);
			this.known.put(type, annotated);
		}
		return annotated;
	}

	private boolean declaresAny(Class<?> type) {
		try {
			return isAnnotated(type) || Stream.of(ReflectionUtils.getDeclaredMethods(type)).anyMatch(this::isAnnotated);
		}
		catch (IllegalStateException | NoClassDefFoundError ex) {
			return true;
		}
	}

	/** Spring would cache the result for each element; most have no annotation at all. */
	private boolean isAnnotated(AnnotatedElement element) {
		if (element.getDeclaredAnnotations().length == 0) {
			return false;
		}
		MergedAnnotations found = MergedAnnotations.from(element);
		return this.annotations.stream().anyMatch(found::isPresent);
	}

}
