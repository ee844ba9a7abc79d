package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.List;

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
 * Parses the keys of annotated methods. With <code>#{}</code> in it a key is a template,
 * else it is one expression. <code>${}</code> is resolved once, in the constant, before
 * it is parsed; what an evaluation gives is never parsed again. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class KeyExpressionParser {

	private static final String TEMPLATE_PREFIX = ParserContext.TEMPLATE_EXPRESSION.getExpressionPrefix();

	private final ExpressionParser parser;

	private final StringValueResolver placeholders;

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
		this.delegate.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	private static SpelCompilerMode compilerMode() {
		return NativeDetector.inNativeImage() ? SpelCompilerMode.OFF : SpelCompilerMode.MIXED;
	}

	/**
	 * Parse a key and check that it names no variable that the method doesn't have.
	 * @param text the key as it is written
	 * @param method the method, best the one of the target class, since it has the names
	 * of the parameters
	 * @param targetClass class of the object that the method is called on
	 * @return the parsed key
	 * @throws KeyExpressionException if the key is blank, not well-formed or names an
	 * unknown variable
	 */
	public KeyExpression parse(String text, Method method, Class<?> targetClass) {
		MethodVariables variables = MethodVariables.of(method);
		List<Expression> parts = checkedParts(text, variables);
		return new KeyExpression(text, parts, new MethodScope(method, targetClass, variables, this.delegate));
	}

	/**
	 * Parse an expression whose value is not a text, or not yet.
	 * @param text the expression as it is written
	 * @param method the method, best the one of the target class
	 * @param targetClass class of the object that the method is called on
	 * @param withResult whether there is a variable {@code #result}
	 * @return the parsed expression
	 * @throws KeyExpressionException if it is blank, not well-formed or names an unknown
	 * variable
	 */
	public CallExpression parseCall(String text, Method method, Class<?> targetClass, boolean withResult) {
		MethodVariables arguments = MethodVariables.of(method);
		MethodVariables variables = withResult ? arguments.withResult() : arguments;
		List<Expression> parts = checkedParts(text, variables);
		return new CallExpression(text, parts, new MethodScope(method, targetClass, variables, this.delegate));
	}

	private List<Expression> checkedParts(String text, MethodVariables variables) {
		List<Expression> parts = parts(text, resolve(text));
		for (Expression part : parts) {
			if (part instanceof SpelExpression expression) {
				new ReferenceCheck(text, variables).check(expression.getAST());
			}
		}
		return parts;
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
		Expression expression;
		try {
			expression = parse(resolved);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new KeyExpressionException(text, "is not well-formed: " + ex.getMessage(), ex);
		}
		return (expression instanceof CompositeStringExpression composite) ? List.of(composite.getExpressions())
				: List.of(expression);
	}

	private Expression parse(String resolved) {
		return resolved.contains(TEMPLATE_PREFIX)
				? this.parser.parseExpression(resolved, ParserContext.TEMPLATE_EXPRESSION)
				: this.parser.parseExpression(resolved);
	}

}
