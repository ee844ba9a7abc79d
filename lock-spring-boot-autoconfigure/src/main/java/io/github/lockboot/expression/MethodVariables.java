package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;

/**
 * The variables by which an expression reaches the arguments of a method: {@code #name},
 * {@code #p0} and {@code #a0}.
 */
final class MethodVariables {

	private final Method method;

	private final Map<String, Integer> positions;

	private final boolean named;

	private MethodVariables(Method method, Map<String, Integer> positions, boolean named) {
		this.method = method;
		this.positions = positions;
		this.named = named;
	}

	static MethodVariables of(Method method) {
		@Nullable String @Nullable [] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
		Map<String, Integer> positions = new LinkedHashMap<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			positions.put("p" + i, i);
			positions.put("a" + i, i);
			if (names != null && i < names.length && names[i] != null) {
				positions.put(names[i], i);
			}
		}
		return new MethodVariables(method, positions, names != null);
	}

	/** The same with the result of a call, which stands behind its arguments. */
	MethodVariables withResult() {
		Map<String, Integer> more = new LinkedHashMap<>(this.positions);
		more.put("result", this.method.getParameterCount());
		return new MethodVariables(this.method, more, this.named);
	}

	boolean contains(String variable) {
		return this.positions.containsKey(variable);
	}

	@Nullable Object valueOf(String variable, @Nullable Object[] arguments) {
		Integer position = this.positions.get(variable);
		if (position == null) {
			throw new IllegalStateException(whyUnknown(variable));
		}
		return arguments[position];
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
