package io.github.lockboot.advice;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * The types that have one of some annotations somewhere: on themselves or a method, a
 * superclass or an interface, also as part of another annotation. Looks at each type
 * once, so that of the many beans of an application, most of which have none, each method
 * need not be searched for in its whole hierarchy. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class AnnotatedTypes {

	private final Set<Class<? extends Annotation>> annotations;

	private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

	/**
	 * Create a set of types.
	 * @param annotations the annotations, those that hold repeated ones included
	 */
	public AnnotatedTypes(Collection<Class<? extends Annotation>> annotations) {
		this.annotations = Set.copyOf(annotations);
	}

	/**
	 * Whether a type has one of the annotations somewhere.
	 * @param type class or interface
	 * @return false if no method of it can have one; true also if its methods can't be
	 * read
	 */
	public boolean contains(@Nullable Class<?> type) {
		if (type == null || type.getName().startsWith("java.")) {
			return false;
		}
		Boolean annotated = this.known.get(type);
		if (annotated == null) {
			annotated = declaresAny(type) || contains(type.getSuperclass()) || containsAny(type.getInterfaces());
			this.known.put(type, annotated);
		}
		return annotated;
	}

	private boolean containsAny(Class<?>[] types) {
		for (Class<?> type : types) {
			if (contains(type)) {
				return true;
			}
		}
		return false;
	}

	private boolean declaresAny(Class<?> type) {
		try {
			return isPresentOn(type) || isPresentOnAny(ReflectionUtils.getDeclaredMethods(type));
		}
		catch (IllegalStateException | NoClassDefFoundError ex) {
			return true; // whoever looks at each method will find out
		}
	}

	private boolean isPresentOnAny(Method[] methods) {
		for (Method method : methods) {
			if (isPresentOn(method)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Most have none at all: Spring would remember that of each, at the start, for
	 * nothing.
	 */
	private boolean isPresentOn(AnnotatedElement element) {
		if (element.getDeclaredAnnotations().length == 0) {
			return false;
		}
		MergedAnnotations found = MergedAnnotations.from(element);
		for (Class<? extends Annotation> annotation : this.annotations) {
			if (found.isPresent(annotation)) {
				return true;
			}
		}
		return false;
	}

}
