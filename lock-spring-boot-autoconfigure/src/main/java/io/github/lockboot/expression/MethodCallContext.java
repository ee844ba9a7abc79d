package io.github.lockboot.expression;

import java.util.List;

import org.jspecify.annotations.Nullable;
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
 * One call of a method as an expression sees it. Small, since it is made for every call:
 * arguments are read in place, all else is shared. Nothing can be assigned, and an
 * unknown variable is an error and not {@code null}.
 */
final class MethodCallContext implements EvaluationContext {

	private final MethodScope scope;

	private final @Nullable Object[] values;

	private final TypedValue rootValue;

	MethodCallContext(MethodScope scope, MethodCallRoot root, @Nullable Object[] values) {
		this.scope = scope;
		this.values = values;
		this.rootValue = new TypedValue(root);
	}

	@Override
	public @Nullable Object lookupVariable(String name) {
		return this.scope.variables().valueOf(name, this.values);
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
		return this.rootValue;
	}

	@Override
	public List<PropertyAccessor> getPropertyAccessors() {
		return this.scope.delegate().getPropertyAccessors();
	}

	@Override
	public List<IndexAccessor> getIndexAccessors() {
		return this.scope.delegate().getIndexAccessors();
	}

	@Override
	public List<ConstructorResolver> getConstructorResolvers() {
		return this.scope.delegate().getConstructorResolvers();
	}

	@Override
	public List<MethodResolver> getMethodResolvers() {
		return this.scope.delegate().getMethodResolvers();
	}

	@Override
	public @Nullable BeanResolver getBeanResolver() {
		return this.scope.delegate().getBeanResolver();
	}

	@Override
	public TypeLocator getTypeLocator() {
		return this.scope.delegate().getTypeLocator();
	}

	@Override
	public TypeConverter getTypeConverter() {
		return this.scope.delegate().getTypeConverter();
	}

	@Override
	public TypeComparator getTypeComparator() {
		return this.scope.delegate().getTypeComparator();
	}

	@Override
	public OperatorOverloader getOperatorOverloader() {
		return this.scope.delegate().getOperatorOverloader();
	}

}
