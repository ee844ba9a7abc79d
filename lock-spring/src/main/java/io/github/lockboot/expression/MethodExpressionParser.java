package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.NativeDetector;
import org.springframework.core.ResolvableType;
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
 * Parses the expressions of annotated methods. An expression that contains
 * <code>#{}</code> is a template. <code>${}</code> is resolved once, before the constant
 * is parsed; the result of an evaluation is never parsed again. A method is parsed at
 * startup, where its mistakes are errors, while Spring's
 * {@code CachedExpressionEvaluator} parses at the first call. Thread-safe.
 */
@Internal
public final class MethodExpressionParser {

	private static final String TEMPLATE_PREFIX = ParserContext.TEMPLATE_EXPRESSION.getExpressionPrefix();

	private final ExpressionParser parser;

	private final StringValueResolver placeholders;

	private final BeanFactory beans;

	/** The context shared by all evaluations, since its resolvers cache lookups. */
	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	/**
	 * Create a parser.
	 * @param beanFactory resolves <code>&#64;bean</code>
	 * @param placeholders resolves <code>${}</code> and throws
	 * {@link IllegalArgumentException} for an unknown placeholder
	 */
	public MethodExpressionParser(ConfigurableBeanFactory beanFactory, StringValueResolver placeholders) {
		this.parser = new SpelExpressionParser(
				new SpelParserConfiguration(compilerMode(), beanFactory.getBeanClassLoader()));
		this.placeholders = placeholders;
		this.beans = beanFactory;
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	private static SpelCompilerMode compilerMode() {
		return NativeDetector.inNativeImage() ? SpelCompilerMode.OFF : SpelCompilerMode.MIXED;
	}

	/**
	 * Parse a key or another value. An expression that is blank, not well-formed, or
	 * names an unknown variable or bean is an error.
	 * @param method preferably the method of the target class, which has the names of the
	 * parameters
	 * @param withResult whether there is a variable {@code #result}
	 */
	public MethodExpression parse(String text, Method method, Class<?> targetClass, boolean withResult) {
		Expression parsed = wellFormed(text, this::parse);
		List<Expression> parts = (parsed instanceof CompositeStringExpression composite)
				? List.of(composite.getExpressions()) : List.of(parsed);
		return checked(new MethodExpression(text, parts, method, targetClass, withResult, this.shared));
	}

	/**
	 * Parse the key of a lock. A declared type that no key has is an error, and a text
	 * without any variable was probably meant as the name.
	 */
	public MethodExpression parseKey(String text, Method method, Class<?> targetClass) {
		try {
			MethodExpression key = parse(text, method, targetClass, false);
			key.parts().forEach((part) -> checkType(part, key));
			return key;
		}
		catch (MethodExpressionException ex) {
			boolean literal = text.matches("[^#@'\"(\\[{]+")
					&& !new MethodExpression(text, List.of(), method, targetClass, false, this.shared)
						.hasVariable(text);
			throw literal ? new MethodExpressionException(text,
					ex.getMessage() + "; the value of the annotation is its key: did you mean name = \"" + text + "\"?",
					ex.getCause()) : ex;
		}
	}

	private void checkType(Expression part, MethodExpression key) {
		Class<?> type = (part instanceof SpelExpression spel) ? check(spel, key).resolve() : null;
		String problem = (type != null) ? KeyText.problemOf(type, key.parts().size() == 1) : null;
		if (problem != null) {
			throw new MethodExpressionException(key.text(), problem, null);
		}
	}

	/** Parse a condition, which is one expression and never a template. */
	public MethodExpression parseCondition(String text, Method method, Class<?> targetClass, boolean withResult) {
		Expression parsed = wellFormed(text, this.parser::parseExpression);
		return checked(new MethodExpression(text, List.of(parsed), method, targetClass, withResult, this.shared));
	}

	private MethodExpression checked(MethodExpression expression) {
		for (Expression part : expression.parts()) {
			if (part instanceof SpelExpression spel) {
				check(spel, expression);
			}
		}
		return expression;
	}

	private ResolvableType check(SpelExpression part, MethodExpression expression) {
		return new ReferenceCheck(expression, this.beans::containsBean).check(part.getAST());
	}

	private Expression parse(String resolved) {
		return resolved.contains(TEMPLATE_PREFIX)
				? this.parser.parseExpression(resolved, ParserContext.TEMPLATE_EXPRESSION)
				: this.parser.parseExpression(resolved);
	}

	private Expression wellFormed(String text, Function<String, Expression> parsing) {
		String resolved = resolve(text);
		try {
			return parsing.apply(resolved);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new MethodExpressionException(text, "is not well-formed: " + ex.getMessage(), ex);
		}
	}

	private String resolve(String text) {
		String resolved;
		try {
			resolved = this.placeholders.resolveStringValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw new MethodExpressionException(text, "has a placeholder that can't be resolved: " + ex.getMessage(),
					ex);
		}
		if (!StringUtils.hasText(resolved)) {
			throw new MethodExpressionException(text, "is blank", null);
		}
		return resolved;
	}

}
