package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * The variables for the expressions of one method: {@code #root}, and each argument as
 * {@code #name}, {@code #p0} and {@code #a0}; after a call also {@code #result}.
 */
final class MethodScope {

	private final Method method;

	private final Class<?> targetClass;

	private final StandardEvaluationContext shared;

	private final KeyTextConverter converter;

	private final Map<String, Integer> positions = new LinkedHashMap<>();

	private final boolean named;

	/** Create a scope whose resolvers and accessors are shared by all methods. */
	MethodScope(Method method, Class<?> targetClass, boolean withResult, StandardEvaluationContext shared) {
		this.method = method;
		this.targetClass = targetClass;
		this.shared = shared;
		this.converter = new KeyTextConverter(shared.getTypeConverter());
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

	/** Return the context of a call, whose result is {@code null} before it returns. */
	EvaluationContext call(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		return new CallContext(target, arguments, result);
	}

	boolean contains(String variable) {
		return this.positions.containsKey(variable);
	}

	/** Return the declared type of an argument; that of a result may be wrapped. */
	ResolvableType typeOf(String variable) {
		Integer position = this.positions.get(variable);
		return (position != null && position < this.method.getParameterCount())
				? ResolvableType.forMethodParameter(this.method, position, this.targetClass) : ResolvableType.NONE;
	}

	/** Return how a member is found that the class of a variable does not have. */
	String whyWithoutMember(Class<?> type) {
		if (Modifier.isFinal(type.getModifiers())) {
			// methods with value classes have a suffix
			return this.method.getName().contains("-") ? "; a value class is its value here: name the parameter alone"
					: "";
		}
		return "; if a subclass has it, begin with #root.args[0] for the first argument";
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
		return problem + "; the known variables are #" + String.join(", #", this.positions.keySet());
	}

	/**
	 * The context of one call, which reads its arguments in place and shares the rest
	 * with other calls. Nothing can be assigned, and an unknown variable is an error. In
	 * Spring's {@code MethodBasedEvaluationContext} such a variable is {@code null}, and
	 * would be a part of a key.
	 */
	private final class CallContext extends StandardEvaluationContext {

		private final @Nullable Object[] arguments;

		private final @Nullable Object result;

		CallContext(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
			super(new Root(MethodScope.this, target, arguments));
			MethodScope.this.shared.applyDelegatesTo(this);
			this.arguments = arguments;
			this.result = result;
		}

		@Override
		public @Nullable Object lookupVariable(String name) {
			Integer position = MethodScope.this.positions.get(name);
			if (position == null) {
				throw new IllegalStateException(whyUnknown(name));
			}
			return (position < this.arguments.length) ? this.arguments[position] : this.result;
		}

		@Override
		public void setVariable(@Nullable String name, @Nullable Object value) {
			throw new UnsupportedOperationException("A key can't assign variables");
		}

		@Override
		public boolean isAssignmentEnabled() {
			return false;
		}

		@Override
		public TypeConverter getTypeConverter() {
			return MethodScope.this.converter;
		}

	}

	/**
	 * Converts a single value to the same text as a key that consists of it, for example
	 * where it is added to a text.
	 */
	private record KeyTextConverter(TypeConverter converter) implements TypeConverter {

		@Override
		public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
			return targetType.getType() == String.class || this.converter.canConvert(sourceType, targetType);
		}

		@Override
		public @Nullable Object convertValue(@Nullable Object value, @Nullable TypeDescriptor sourceType,
				TypeDescriptor targetType) {
			boolean text = value != null && targetType.getType() == String.class && !KeyText.isSeveral(value);
			return text ? KeyText.write(value) : this.converter.convertValue(value, sourceType, targetType);
		}

	}

	/**
	 * The object {@code #root}, with the same properties as in Spring's cache
	 * annotations.
	 */
	static final class Root {

		private final MethodScope scope;

		private final @Nullable Object target;

		private final @Nullable Object[] args;

		Root(MethodScope scope, @Nullable Object target, @Nullable Object[] args) {
			this.scope = scope;
			this.target = target;
			this.args = args;
		}

		public Method getMethod() {
			return this.scope.method;
		}

		public String getMethodName() {
			return this.scope.method.getName();
		}

		public Class<?> getTargetClass() {
			return this.scope.targetClass;
		}

		public @Nullable Object getTarget() {
			return this.target;
		}

		public @Nullable Object[] getArgs() {
			return this.args;
		}

	}

	/**
	 * Lets a native image read the properties of {@code #root}.
	 */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection().registerType(Root.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		}

	}

}
