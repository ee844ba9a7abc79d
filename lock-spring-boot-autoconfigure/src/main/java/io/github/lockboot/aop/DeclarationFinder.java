package io.github.lockboot.aop;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Finds the annotations of a method: on the method of the target class, on what it
 * overrides or implements, then on the types of the target. Thread-safe.
 *
 * @param <D> what the annotations of one method declare
 * @since 1.0.0
 */
@Internal
public final class DeclarationFinder<D> {

	private final AnnotatedTypes types;

	private final Reader<D> reader;

	/**
	 * Create a finder.
	 * @param annotations the annotations, those that hold repeated ones included
	 * @param reader reads them
	 */
	public DeclarationFinder(Collection<Class<? extends Annotation>> annotations, Reader<D> reader) {
		this.types = new AnnotatedTypes(annotations);
		this.reader = reader;
	}

	/** Whether to look at the methods of a type at all. */
	public boolean isCandidate(Class<?> type) {
		return this.types.contains(type);
	}

	/** Find the annotations of a method. */
	public @Nullable D find(Method method, Class<?> targetClass) {
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		// a method of a generated class has neither annotations nor names of parameters
		Method specific = Proxy.isProxyClass(userClass) ? method : AopUtils.getMostSpecificMethod(method, userClass);
		D found = read(specific, specific);
		if (found == null && specific != method) {
			found = read(method, specific);
		}
		if (found == null && specific.getDeclaringClass() != userClass) {
			found = onInterfaces(specific, userClass);
		}
		return (found == null && standsForType(specific)) ? read(userClass, specific) : found;
	}

	/**
	 * A method may implement an interface that only a subclass of its own class names.
	 */
	private @Nullable D onInterfaces(Method method, Class<?> userClass) {
		for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(userClass)) {
			Method declared = ClassUtils.getMethodIfAvailable(type, method.getName(), method.getParameterTypes());
			D found = (declared != null) ? read(declared, method) : null;
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

	private @Nullable D read(AnnotatedElement place, Method method) {
		return this.reader.read(MergedAnnotations.from(place, SearchStrategy.TYPE_HIERARCHY), method);
	}

	/** Find the annotated methods of all beans. Makes no bean. */
	public List<AnnotatedMethod<D>> findAll(ConfigurableListableBeanFactory beanFactory) {
		return AnnotatedMethod.find(beanFactory, this::isCandidate, this::find)
			.sorted(Comparator.comparing(AnnotatedMethod::describe))
			.toList();
	}

	/**
	 * Reads annotations.
	 *
	 * @param <D> what the annotations of one method declare
	 */
	@FunctionalInterface
	public interface Reader<D> {

		/** Read the annotations of one method. */
		@Nullable D read(MergedAnnotations annotations, Method method);

	}

}
