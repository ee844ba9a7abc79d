package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What {@code #root} is: the same properties as with Spring's cache annotations.
 */
final class MethodCallRoot {

	static final Set<String> PROPERTIES = Set.of("method", "methodName", "targetClass", "target", "args");

	private final Method method;

	private final Class<?> targetClass;

	private final @Nullable Object target;

	private final @Nullable Object[] args;

	MethodCallRoot(Method method, Class<?> targetClass, @Nullable Object target, @Nullable Object[] args) {
		this.method = method;
		this.targetClass = targetClass;
		this.target = target;
		this.args = args;
	}

	public Method getMethod() {
		return this.method;
	}

	public String getMethodName() {
		return this.method.getName();
	}

	public Class<?> getTargetClass() {
		return this.targetClass;
	}

	public @Nullable Object getTarget() {
		return this.target;
	}

	public @Nullable Object[] getArgs() {
		return this.args;
	}

}
