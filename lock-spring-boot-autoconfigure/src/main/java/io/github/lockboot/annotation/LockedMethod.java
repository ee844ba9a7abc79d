package io.github.lockboot.annotation;

import java.lang.reflect.Method;

import io.github.lockboot.advice.AnnotatedBean;

/**
 * An annotated method of a bean.
 *
 * @param bean the bean
 * @param method the method
 * @param declaration its annotation
 */
record LockedMethod(AnnotatedBean bean, Method method, LockDeclaration declaration) {

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
