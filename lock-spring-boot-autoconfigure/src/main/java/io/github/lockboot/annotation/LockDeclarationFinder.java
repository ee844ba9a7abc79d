package io.github.lockboot.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.advice.AnnotatedTypes;

/**
 * Finds the annotation of a method: on the method of the target class, on what it
 * overrides or implements, then on the types of the target.
 */
final class LockDeclarationFinder {

	private final AnnotatedTypes types = new AnnotatedTypes(List.of(DistributedLock.class));

	/** Whether to look at the methods of a type at all. */
	boolean isCandidate(Class<?> type) {
		return this.types.contains(type);
	}

	@Nullable LockDeclaration find(Method method, Class<?> targetClass) {
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		Method specific = AopUtils.getMostSpecificMethod(method, userClass);
		LockDeclaration found = onElement(specific, specific);
		if (found == null && specific != method) {
			found = onElement(method, method);
		}
		if (found == null) {
			found = onInterfaces(specific, userClass);
		}
		return (found == null && standsForType(specific)) ? onElement(userClass, specific) : found;
	}

	private @Nullable LockDeclaration onElement(AnnotatedElement element, Method method) {
		MergedAnnotations all = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
		MergedAnnotation<DistributedLock> annotation = all.get(DistributedLock.class);
		return annotation.isPresent() ? new LockDeclaration(annotation, method, rival(all, annotation)) : null;
	}

	/** At the same place: what a subtype says may differ from what it overrides. */
	private static @Nullable MergedAnnotation<DistributedLock> rival(MergedAnnotations all,
			MergedAnnotation<DistributedLock> annotation) {
		return all.stream(DistributedLock.class)
			.filter((other) -> other.getAggregateIndex() == annotation.getAggregateIndex())
			.filter((other) -> !other.getMetaTypes().equals(annotation.getMetaTypes()))
			.findFirst()
			.orElse(null);
	}

	/**
	 * A method may implement an interface that only a subclass of its own class names.
	 */
	private @Nullable LockDeclaration onInterfaces(Method method, Class<?> userClass) {
		if (method.getDeclaringClass() == userClass) {
			return null;
		}
		for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(userClass)) {
			Method declared = ClassUtils.getMethodIfAvailable(type, method.getName(), method.getParameterTypes());
			LockDeclaration found = (declared != null) ? onElement(declared, method) : null;
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private static boolean standsForType(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !ReflectionUtils.isObjectMethod(method);
	}

}
