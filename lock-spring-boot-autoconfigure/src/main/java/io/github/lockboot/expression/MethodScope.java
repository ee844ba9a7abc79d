package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.Arrays;

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
		return context(target, arguments, arguments);
	}

	/** The same with the result of the call as one more variable. */
	EvaluationContext callWithResult(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		@Nullable Object[] values = Arrays.copyOf(arguments, arguments.length + 1);
		values[arguments.length] = result;
		return context(target, arguments, values);
	}

	private EvaluationContext context(@Nullable Object target, @Nullable Object[] arguments,
			@Nullable Object[] values) {
		return new MethodCallContext(this, new MethodCallRoot(this.method, this.targetClass, target, arguments),
				values);
	}

}
