package io.github.lockboot.expression;

import java.util.function.Predicate;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Finds misspelt names in an expression before it is ever evaluated: SpEL itself takes an
 * unknown variable for {@code null}.
 */
final class ReferenceCheck {

	private final String text;

	private final MethodVariables variables;

	private final Predicate<String> beans;

	/**
	 * Create a check.
	 * @param text the expression as it is written
	 * @param variables what it may name
	 * @param beans whether there is a bean of a name
	 */
	ReferenceCheck(String text, MethodVariables variables, Predicate<String> beans) {
		this.text = text;
		this.variables = variables;
		this.beans = beans;
	}

	void check(SpelNode expression) {
		checkProperty((expression instanceof CompoundExpression) ? expression.getChild(0) : expression);
		checkVariables(expression);
		checkBeans(expression);
	}

	private void checkProperty(SpelNode first) {
		if (first instanceof PropertyOrFieldReference property
				&& !MethodCallRoot.PROPERTIES.contains(property.getName())) {
			String name = property.getName();
			throw new KeyExpressionException(this.text, "names the unknown property '" + name + "'; a parameter is #"
					+ name + ", and a literal stands in quotes: '" + name + "'", null);
		}
	}

	private void checkVariables(SpelNode node) {
		if (node instanceof VariableReference || node instanceof FunctionReference) {
			checkVariable(node.toStringAST());
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			checkVariables(node.getChild(i));
		}
	}

	private void checkVariable(String written) {
		int end = written.indexOf('(');
		String name = written.substring(1, (end < 0) ? written.length() : end);
		boolean known = "root".equals(name) || "this".equals(name) || this.variables.contains(name);
		if (!known || end >= 0) {
			throw new KeyExpressionException(this.text, this.variables.whyUnknown(name), null);
		}
	}

	private void checkBeans(SpelNode node) {
		if (node instanceof BeanReference bean && !this.beans.test(bean.getName())) {
			throw new KeyExpressionException(this.text, "names the unknown bean '" + bean.getName() + "'", null);
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			checkBeans(node.getChild(i));
		}
	}

}
