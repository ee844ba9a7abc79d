package io.github.lockboot.annotation;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * An annotated method of a bean.
 *
 * @param beanName name of the bean
 * @param type class of the bean behind its proxies
 * @param method the method
 * @param declaration its annotation
 * @param bean the bean, or {@code null} if it was not made yet
 */
record LockedMethod(String beanName, Class<?> type, Method method, LockDeclaration declaration, @Nullable Object bean) {

	/**
	 * Whether the annotation stands on the method, not on its type.
	 */
	boolean isAnnotatedItself() {
		return this.declaration.annotation().getSource() instanceof Method;
	}

	String describe() {
		return LockDeclaration.describe(this.method);
	}

}
