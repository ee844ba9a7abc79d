package io.github.lockboot.expression;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;

/**
 * Finds misspelt names in an expression before its first evaluation: unknown variables,
 * which are {@code null} in SpEL, names without {@code #}, and properties and methods
 * that the declared class of a parameter does not have. Interfaces and abstract classes
 * are not checked, since SpEL sees the class of the object.
 */
record ReferenceCheck(MethodExpression expression, Predicate<String> beans) {

	private static final Pattern VARIABLE = Pattern.compile("#(\\w+)");

	private static final Accessor ACCESSOR = new Accessor();

	/** Check a part of it, and return its type, or {@code NONE} if it is unknown. */
	ResolvableType check(SpelNode part) {
		return visit(part, false);
	}

	/**
	 * Check a node.
	 * @param ofElement whether names refer to the element of a projection or a selection
	 */
	private ResolvableType visit(SpelNode node, boolean ofElement) {
		if (node instanceof CompoundExpression path) {
			ResolvableType type = visit(path.getChild(0), ofElement);
			for (int i = 1; i < path.getChildCount(); i++) {
				type = step(path.getChild(i), type, ofElement);
			}
			return type;
		}
		if (node instanceof PropertyOrFieldReference || node instanceof MethodReference) {
			return step(node, ofElement ? ResolvableType.NONE : ResolvableType.forClass(MethodExpression.Root.class),
					ofElement);
		}
		if (node instanceof InlineMap) { // its keys are names
			children(node).filter((child) -> child % 2 == 1).forEach((child) -> visit(node.getChild(child), ofElement));
			return ResolvableType.NONE;
		}
		children(node).forEach((child) -> visit(node.getChild(child), ofElement));
		checkBean(node);
		checkLiteral(node);
		return (node instanceof VariableReference || node instanceof FunctionReference) ? variable(node)
				: ResolvableType.NONE;
	}

	private static IntStream children(SpelNode node) {
		return IntStream.range(0, node.getChildCount());
	}

	/** Check one element of a path, and return its type. */
	private ResolvableType step(SpelNode node, ResolvableType owner, boolean ofElement) {
		if (node instanceof PropertyOrFieldReference property) {
			return property(property.getName(), owner);
		}
		if (node instanceof Indexer && node.getChildCount() > 0 && isNameOfEntry(node.getChild(0), owner)) {
			return ResolvableType.NONE;
		}
		boolean element = ofElement || node instanceof Projection || node instanceof Selection;
		children(node).forEach((child) -> visit(node.getChild(child), element));
		return (node instanceof MethodReference method) ? method(method, owner) : ResolvableType.NONE;
	}

	/** Return whether an index is a name that SpEL reads as the key of a map. */
	private static boolean isNameOfEntry(SpelNode index, ResolvableType owner) {
		return index instanceof PropertyOrFieldReference && !owner.isArray()
				&& !List.class.isAssignableFrom(owner.toClass()) && owner.toClass() != String.class;
	}

	private ResolvableType property(String name, ResolvableType owner) {
		Class<?> type = checked(owner);
		if (type == null || (type.isArray() && name.equals("length"))) {
			return ResolvableType.NONE;
		}
		Method getter = ACCESSOR.findGetterForProperty(name, type, false);
		if (getter != null) {
			return typeOf(getter, owner);
		}
		Field field = ACCESSOR.findField(name, type, false);
		if (field == null) {
			throw unknown("property '" + name + "'", type,
					"a parameter is #" + name + ", and a literal needs quotes: '" + name + "'");
		}
		return ResolvableType.forField(field, owner);
	}

	private ResolvableType method(MethodReference call, ResolvableType owner) {
		Class<?> type = checked(owner);
		if (type == null) {
			return ResolvableType.NONE;
		}
		List<Method> methods = Stream.of(type.getMethods())
			.filter((method) -> method.getName().equals(call.getName()))
			.filter((method) -> method.isVarArgs() || method.getParameterCount() == call.getChildCount())
			.toList();
		if (methods.isEmpty()) {
			throw unknown("method '" + call.getName() + "' with " + call.getChildCount() + " arguments", type,
					"a method of the bean is #root.target." + call.getName() + "()");
		}
		return methods.stream().map(Method::getReturnType).distinct().count() == 1 ? typeOf(methods.get(0), owner)
				: ResolvableType.NONE;
	}

	private static ResolvableType typeOf(Method method, ResolvableType owner) {
		return ResolvableType.forType(method.getGenericReturnType(), owner.as(method.getDeclaringClass()));
	}

	/** Return the class whose members are known, or {@code null}. */
	private static @Nullable Class<?> checked(ResolvableType owner) {
		Class<?> type = owner.resolve();
		if (type == null || type == Object.class || List.of(Class.class, Optional.class).contains(type)
				|| Map.class.isAssignableFrom(type)) {
			return null;
		}
		boolean open = Modifier.isAbstract(type.getModifiers()) && !type.isArray() && !type.isPrimitive()
				&& !type.isEnum();
		return open ? null : ClassUtils.resolvePrimitiveIfNecessary(type);
	}

	private MethodExpressionException unknown(String member, Class<?> type, String cureWithoutOwner) {
		String cure = (type == MethodExpression.Root.class) ? "; " + cureWithoutOwner
				: " of " + type.getTypeName() + this.expression.whyWithoutMember(type);
		return new MethodExpressionException(this.expression.text(), "names the unknown " + member + cure, null);
	}

	private void checkBean(SpelNode node) {
		if (node instanceof BeanReference bean && !this.beans.test(bean.getName())) {
			throw new MethodExpressionException(this.expression.text(),
					"names the unknown bean '" + bean.getName() + "'", null);
		}
	}

	/** A variable in quotes is text, so that all calls would have the same key. */
	private void checkLiteral(SpelNode node) {
		if (node instanceof StringLiteral literal) {
			Matcher variable = VARIABLE.matcher(String.valueOf(literal.getLiteralValue().getValue()));
			while (variable.find()) {
				if (this.expression.hasVariable(variable.group(1))) {
					throw new MethodExpressionException(this.expression.text(), "has the variable '" + variable.group()
							+ "' in quotes, where it is text: write for example order:#{" + variable.group() + "}",
							null);
				}
			}
		}
	}

	private ResolvableType variable(SpelNode node) {
		String written = node.toStringAST();
		int end = written.indexOf('(');
		String name = written.substring(1, (end < 0) ? written.length() : end);
		if (name.equals("root") || name.equals("this")) {
			return name.equals("root") ? ResolvableType.forClass(MethodExpression.Root.class) : ResolvableType.NONE;
		}
		if (!this.expression.hasVariable(name) || end >= 0) {
			throw new MethodExpressionException(this.expression.text(), this.expression.whyUnknown(name), null);
		}
		return this.expression.typeOf(name);
	}

	/**
	 * The accessor of SpEL, for a class instead of an object.
	 */
	private static final class Accessor extends ReflectivePropertyAccessor {

		@Override
		protected @Nullable Method findGetterForProperty(String name, Class<?> type, boolean mustBeStatic) {
			return super.findGetterForProperty(name, type, mustBeStatic);
		}

		@Override
		protected @Nullable Field findField(String name, Class<?> type, boolean mustBeStatic) {
			return super.findField(name, type, mustBeStatic);
		}

	}

}
