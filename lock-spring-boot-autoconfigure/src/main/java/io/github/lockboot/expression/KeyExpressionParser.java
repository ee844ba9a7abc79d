package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.NativeDetector;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.Internal;

/**
 * Parses the keys and conditions of annotated methods. With <code>#{}</code> in it a key
 * is a template, else it is one expression. <code>${}</code> is resolved once, in the
 * constant, before it is parsed; what an evaluation gives is never parsed again.
 * Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class KeyExpressionParser {

	private static final String TEMPLATE_PREFIX = ParserContext.TEMPLATE_EXPRESSION.getExpressionPrefix();

	private final ExpressionParser parser;

	private final StringValueResolver placeholders;

	private final BeanFactory beans;

	/** Shared by all evaluations: its resolvers keep what they looked up. */
	private final StandardEvaluationContext delegate = new StandardEvaluationContext();

	/**
	 * Create a parser.
	 * @param beanFactory where <code>&#64;bean</code> is looked up
	 * @param placeholders resolves <code>${}</code> and throws
	 * {@link IllegalArgumentException} where it can't
	 */
	public KeyExpressionParser(ConfigurableBeanFactory beanFactory, StringValueResolver placeholders) {
		this.parser = new SpelExpressionParser(
				new SpelParserConfiguration(compilerMode(), beanFactory.getBeanClassLoader()));
		this.placeholders = placeholders;
		this.beans = beanFactory;
		this.delegate.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	private static SpelCompilerMode compilerMode() {
		return NativeDetector.inNativeImage() ? SpelCompilerMode.OFF : SpelCompilerMode.MIXED;
	}

	/**
	 * Parse a key and check that it names no variable that the method doesn't have, and
	 * no bean that there isn't.
	 * @param text the key as it is written
	 * @param method the method, best the one of the target class, since it has the names
	 * of the parameters
	 * @param targetClass class of the object that the method is called on
	 * @return the parsed key
	 * @throws KeyExpressionException if the key is blank, not well-formed or names an
	 * unknown variable or bean
	 */
	public KeyExpression parse(String text, Method method, Class<?> targetClass) {
		MethodScope scope = scope(method, targetClass, false);
		List<Expression> parts = parts(text, resolve(text));
		parts.forEach((part) -> checkReferences(text, part, scope));
		return new KeyExpression(text, parts, scope);
	}

	/**
	 * Parse an expression whose value is not a text, or not yet.
	 * @param text the expression as it is written
	 * @param method the method, best the one of the target class
	 * @param targetClass class of the object that the method is called on
	 * @param withResult whether there is a variable {@code #result}
	 * @return the parsed expression
	 * @throws KeyExpressionException if it is blank, not well-formed or names an unknown
	 * variable or bean
	 */
	public CallExpression parseCall(String text, Method method, Class<?> targetClass, boolean withResult) {
		return call(text, parts(text, resolve(text)), scope(method, targetClass, withResult));
	}

	/**
	 * Parse a condition, which is one expression and never a template, and check that it
	 * names no variable that the method doesn't have.
	 * @param text the condition as it is written
	 * @param method the method, as for a key
	 * @param targetClass class of the object that the method is called on
	 * @param withResult whether there is a variable {@code #result}
	 * @return the parsed condition
	 * @throws KeyExpressionException if the condition is blank, not well-formed or names
	 * an unknown variable or bean
	 */
	public ConditionExpression parseCondition(String text, Method method, Class<?> targetClass, boolean withResult) {
		Expression expression = wellFormed(text, () -> this.parser.parseExpression(resolve(text)));
		return new ConditionExpression(call(text, List.of(expression), scope(method, targetClass, withResult)));
	}

	private CallExpression call(String text, List<Expression> parts, MethodScope scope) {
		parts.forEach((part) -> checkReferences(text, part, scope));
		return new CallExpression(text, parts, scope);
	}

	private MethodScope scope(Method method, Class<?> targetClass, boolean withResult) {
		MethodVariables arguments = MethodVariables.of(method);
		return new MethodScope(method, targetClass, withResult ? arguments.withResult() : arguments, this.delegate);
	}

	private void checkReferences(String text, Expression expression, MethodScope scope) {
		if (expression instanceof SpelExpression spel) {
			new ReferenceCheck(text, scope.variables(), this.beans::containsBean).check(spel.getAST());
		}
	}

	private String resolve(String text) {
		String resolved;
		try {
			resolved = this.placeholders.resolveStringValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw new KeyExpressionException(text, "has a placeholder that can't be resolved: " + ex.getMessage(), ex);
		}
		if (!StringUtils.hasText(resolved)) {
			throw new KeyExpressionException(text, "is blank", null);
		}
		return resolved;
	}

	private List<Expression> parts(String text, String resolved) {
		Expression expression = wellFormed(text, () -> parse(resolved));
		return (expression instanceof CompositeStringExpression composite) ? List.of(composite.getExpressions())
				: List.of(expression);
	}

	private static Expression wellFormed(String text, Supplier<Expression> parsing) {
		try {
			return parsing.get();
		}
		catch (ParseException | IllegalStateException ex) {
			throw new KeyExpressionException(text, "is not well-formed: " + ex.getMessage(), ex);
		}
	}

	private Expression parse(String resolved) {
		return resolved.contains(TEMPLATE_PREFIX)
				? this.parser.parseExpression(resolved, ParserContext.TEMPLATE_EXPRESSION)
				: this.parser.parseExpression(resolved);
	}

}
