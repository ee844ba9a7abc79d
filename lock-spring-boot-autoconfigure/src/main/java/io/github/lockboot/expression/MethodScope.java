package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;

/**
 * What the expressions of one method can name: {@code #root}, and each argument by
 * {@code #name}, {@code #p0} and {@code #a0}; after a call also {@code #result}.
 */
final class MethodScope {

	private final Method method;

	private final Class<?> targetClass;

	private final EvaluationContext shared;

	private final Map<String, Integer> positions = new LinkedHashMap<>();

	private final boolean named;

	/**
	 * Create a scope.
	 * @param shared resolvers and accessors, the same for all methods
	 */
	MethodScope(Method method, Class<?> targetClass, boolean withResult, EvaluationContext shared) {
		this.method = method;
		this.targetClass = targetClass;
		this.shared = shared;
		@Nullable String @Nullable [] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
		this.named = names != null;
		for (int i = 0; i < method.getParameterCount(); i++) {
			this.positions.put("p" + i, i);
			this.positions.put("a" + i, i);
			if (names != null && i < names.length && names[i] != null) {
				this.positions.put(names[i], i);
			}
		}
		if (withResult) {
			this.positions.put("result", method.getParameterCount());
		}
	}

	EvaluationContext call(@Nullable Object target, @Nullable Object[] arguments) {
		return context(target, arguments, arguments);
	}

	EvaluationContext call(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		@Nullable Object[] values = Arrays.copyOf(arguments, arguments.length + 1);
		values[arguments.length] = result;
		return context(target, arguments, values);
	}

	private EvaluationContext context(@Nullable Object target, @Nullable Object[] arguments,
			@Nullable Object[] values) {
		MethodCallContext.Root root = new MethodCallContext.Root(this.method, this.targetClass, target, arguments);
		return new MethodCallContext(this, root, values, this.shared);
	}

	boolean contains(String variable) {
		return this.positions.containsKey(variable);
	}

	@Nullable Object valueOf(String variable, @Nullable Object[] values) {
		Integer position = this.positions.get(variable);
		if (position == null) {
			throw new IllegalStateException(whyUnknown(variable));
		}
		return values[position];
	}

	String whyUnknown(String variable) {
		String problem = "names the unknown variable '#" + variable + "'";
		if (this.method.getParameterCount() == 0) {
			return problem + "; the method has no parameters";
		}
		if (!this.named) {
			return problem + "; the names of the parameters are not in the class file: compile with -parameters"
					+ ", or write #p0 for the first one";
		}
		return problem + "; known are #" + String.join(", #", this.positions.keySet());
	}

}
