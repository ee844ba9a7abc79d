package io.github.lockboot.advice;

import java.lang.reflect.Method;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;

import io.github.lockboot.Internal;

/**
 * A bean whose type has an annotation somewhere.
 *
 * @param name name of the bean
 * @param type class of the bean behind its proxies
 * @param instance the bean, or {@code null} if it was not made yet
 * @since 1.0.0
 */
@Internal
public record AnnotatedBean(String name, Class<?> type, @Nullable Object instance) {

	private static final Log logger = LogFactory.getLog(AnnotatedBean.class);

	/**
	 * Return its annotated methods.
	 * @param <T> type of what is found at a method
	 * @param lookup finds the annotation of a method, or {@code null}
	 * @return what was found at each method; empty if the methods can't be read
	 */
	public <T> Map<Method, T> methods(MetadataLookup<T> lookup) {
		try {
			return MethodIntrospector.selectMethods(this.type, lookup);
		}
		catch (IllegalStateException | NoClassDefFoundError ex) {
			// a signature with a class that is not there: such a bean can't be proxied or
			// made
			logger.debug("Methods of " + this.type.getName() + " can't be read", ex);
			return Map.of();
		}
	}

}
