package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

import io.github.lockboot.Internal;

/**
 * A parsed expression about the calls of one method: a key, a condition, or any other
 * value. Its variables are {@code #root}, and each argument as {@code #name}, {@code #p0}
 * and {@code #a0}; after a call also {@code #result}. An evaluation that fails throws
 * {@link MethodExpressionException}. Thread-safe.
 */
@Internal
public final class MethodExpression {

	private final String text;

	private final List<Expression> parts;

	private final Method method;

	private final Class<?> targetClass;

	/** The resolvers and accessors, which all methods share. */
	private final StandardEvaluationContext shared;

	private final KeyTextConverter converter;

	/** The arguments of each variable; the result stands behind the last argument. */
	private final Map<String, Integer> positions = new LinkedHashMap<>();

	private final boolean named;

	MethodExpression(String text, List<Expression> parts, Method method, Class<?> targetClass, boolean withResult,
			StandardEvaluationContext shared) {
		this.text = text;
		this.parts = parts;
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

	/** Return the expression as it is written. */
	public String text() {
		return this.text;
	}

	List<Expression> parts() {
		return this.parts;
	}

	/**
	 * Return the value.
	 * @param result result of the call, {@code null} before it
	 */
	public @Nullable Object value(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		return value(new CallContext(target, arguments, result));
	}

	/**
	 * Return whether a condition, which must be a boolean, holds.
	 * @param result result of the call, {@code null} before it
	 */
	public boolean holds(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		return asBoolean(value(target, arguments, result));
	}

	/**
	 * Return the value before a call as keys: one key, or one key for each element of a
	 * collection or an array. There is at least one key, and none is blank.
	 */
	public List<String> keys(@Nullable Object target, @Nullable Object[] arguments) {
		Object value = value(target, arguments, null);
		if (value instanceof Optional<?> optional) {
			value = optional.orElse(null);
		}
		if (value != null && value.getClass().isArray()) {
			value = elements(value);
		}
		return (value instanceof Collection<?> values) ? keys(values) : List.of(key(value, ""));
	}

	private List<@Nullable Object> elements(Object array) {
		try {
			return KeyText.elements(array);
		}
		catch (IllegalArgumentException ex) {
			throw failure(String.valueOf(ex.getMessage()), null);
		}
	}

	private List<String> keys(Collection<?> values) {
		if (values.isEmpty()) {
			throw failure("is an empty collection: there is nothing to lock", null);
		}
		return values.stream().map((value) -> key(value, "has an element that ")).toList();
	}

	private @Nullable Object value(EvaluationContext call) {
		if (this.parts.size() == 1) {
			return value(this.parts.get(0), call);
		}
		StringBuilder joined = new StringBuilder();
		for (Expression part : this.parts) {
			joined.append((part instanceof LiteralExpression) ? part.getExpressionString()
					: key(value(part, call), "has the part '" + part.getExpressionString() + "', which "));
		}
		return joined.toString();
	}

	private @Nullable Object value(Expression part, EvaluationContext call) {
		try {
			return part.getValue(call);
		}
		catch (RuntimeException ex) {
			throw failure("can't be evaluated: " + ex.getMessage(), ex);
		}
	}

	private String key(@Nullable Object value, String which) {
		try {
			return KeyText.of(value);
		}
		catch (IllegalArgumentException ex) {
			throw failure(which + ex.getMessage(), ex.getCause());
		}
	}

	private boolean asBoolean(@Nullable Object value) {
		if (value instanceof Boolean holds) {
			return holds;
		}
		throw failure(
				"gives " + ((value != null) ? "the " + value.getClass().getSimpleName() + " '" + value + "'" : "null")
						+ ", not a boolean",
				null);
	}

	private MethodExpressionException failure(String reason, @Nullable Throwable cause) {
		return new MethodExpressionException(this.text, reason, cause);
	}

	// ---- variables

	boolean hasVariable(String variable) {
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
			super(new Root(MethodExpression.this, target, arguments));
			MethodExpression.this.shared.applyDelegatesTo(this);
			this.arguments = arguments;
			this.result = result;
		}

		@Override
		public @Nullable Object lookupVariable(String name) {
			Integer position = MethodExpression.this.positions.get(name);
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
			return MethodExpression.this.converter;
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

		private final MethodExpression expression;

		private final @Nullable Object target;

		private final @Nullable Object[] args;

		Root(MethodExpression expression, @Nullable Object target, @Nullable Object[] args) {
			this.expression = expression;
			this.target = target;
			this.args = args;
		}

		public Method getMethod() {
			return this.expression.method;
		}

		public String getMethodName() {
			return this.expression.method.getName();
		}

		public Class<?> getTargetClass() {
			return this.expression.targetClass;
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
