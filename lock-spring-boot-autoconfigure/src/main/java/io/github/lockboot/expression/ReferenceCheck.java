package io.github.lockboot.expression;

import java.util.function.Consumer;
import java.util.function.Predicate;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Finds misspelt names in an expression before its first evaluation: in SpEL an unknown
 * variable is {@code null}.
 */
record ReferenceCheck(String text, MethodScope scope, Predicate<String> beans) {

	void check(SpelNode expression) {
		checkProperty((expression instanceof CompoundExpression) ? expression.getChild(0) : expression);
		visit(expression, this::checkVariable);
		visit(expression, this::checkBean);
	}

	private void checkProperty(SpelNode first) {
		if (first instanceof PropertyOrFieldReference property
				&& !MethodScope.Root.PROPERTIES.contains(property.getName())) {
			String name = property.getName();
			throw new MethodExpressionException(this.text, "names the unknown property '" + name + "'; a parameter is #"
					+ name + ", and a literal needs quotes: '" + name + "'", null);
		}
	}

	private static void visit(SpelNode node, Consumer<SpelNode> check) {
		check.accept(node);
		for (int i = 0; i < node.getChildCount(); i++) {
			visit(node.getChild(i), check);
		}
	}

	private void checkBean(SpelNode node) {
		if (node instanceof BeanReference bean && !this.beans.test(bean.getName())) {
			throw new MethodExpressionException(this.text, "names the unknown bean '" + bean.getName() + "'", null);
		}
	}

	private void checkVariable(SpelNode node) {
		if (!(node instanceof VariableReference || node instanceof FunctionReference)) {
			return;
		}
		String written = node.toStringAST();
		int end = written.indexOf('(');
		String name = written.substring(1, (end < 0) ? written.length() : end);
		boolean known = "root".equals(name) || "this".equals(name) || this.scope.contains(name);
		if (!known || end >= 0) {
			throw new MethodExpressionException(this.text, this.scope.whyUnknown(name), null);
		}
	}

}
