package io.github.lockboot.expression;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/**
 * Where the expressions of one method are evaluated.
 *
 * @param method the method
 * @param targetClass class of the object that it is called on
 * @param variables its arguments by name
 * @param delegate resolvers and accessors, shared by all methods
 */
record MethodScope(Method method, Class<?> targetClass, MethodVariables variables, EvaluationContext delegate) {

	EvaluationContext call(@Nullable Object target, @Nullable Object[] arguments) {
		return new MethodCallContext(this, new MethodCallRoot(this.method, this.targetClass, target, arguments));
	}

}
