package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;

/**
 * One call of a method as an expression sees it. Made for every call, hence small: it
 * reads arguments in place and shares all else. Nothing can be assigned, and an unknown
 * variable is an error and not {@code null}.
 */
final class MethodCallContext implements EvaluationContext {

	private final MethodScope scope;

	private final @Nullable Object[] values;

	private final TypedValue root;

	private final EvaluationContext shared;

	MethodCallContext(MethodScope scope, Root root, @Nullable Object[] values, EvaluationContext shared) {
		this.scope = scope;
		this.root = new TypedValue(root);
		this.values = values;
		this.shared = shared;
	}

	@Override
	public @Nullable Object lookupVariable(String name) {
		return this.scope.valueOf(name, this.values);
	}

	@Override
	public void setVariable(String name, @Nullable Object value) {
		throw new UnsupportedOperationException("A key can't assign variables");
	}

	@Override
	public boolean isAssignmentEnabled() {
		return false;
	}

	@Override
	public TypedValue getRootObject() {
		return this.root;
	}

	@Override
	public List<PropertyAccessor> getPropertyAccessors() {
		return this.shared.getPropertyAccessors();
	}

	@Override
	public List<IndexAccessor> getIndexAccessors() {
		return this.shared.getIndexAccessors();
	}

	@Override
	public List<ConstructorResolver> getConstructorResolvers() {
		return this.shared.getConstructorResolvers();
	}

	@Override
	public List<MethodResolver> getMethodResolvers() {
		return this.shared.getMethodResolvers();
	}

	@Override
	public @Nullable BeanResolver getBeanResolver() {
		return this.shared.getBeanResolver();
	}

	@Override
	public TypeLocator getTypeLocator() {
		return this.shared.getTypeLocator();
	}

	@Override
	public TypeConverter getTypeConverter() {
		return this.shared.getTypeConverter();
	}

	@Override
	public TypeComparator getTypeComparator() {
		return this.shared.getTypeComparator();
	}

	@Override
	public OperatorOverloader getOperatorOverloader() {
		return this.shared.getOperatorOverloader();
	}

	/**
	 * What {@code #root} is: the same properties as with Spring's cache annotations.
	 */
	static final class Root {

		static final Set<String> PROPERTIES = Set.of("method", "methodName", "targetClass", "target", "args");

		private final Method method;

		private final Class<?> targetClass;

		private final @Nullable Object target;

		private final @Nullable Object[] args;

		Root(Method method, Class<?> targetClass, @Nullable Object target, @Nullable Object[] args) {
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
