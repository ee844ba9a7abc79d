package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.util.ObjectUtils;

import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.expression.MethodExpression;
import io.github.lockboot.expression.MethodExpressionException;

/**
 * What the expressions of an annotation see of a call.
 *
 * @param cacheName name of the cache, for messages
 * @param parameters how many of the arguments the caller passes
 * @param result what the method has returned, {@code null} before
 */
record ExpressionContext(String cacheName, MethodInvocation invocation, int parameters, @Nullable Object result) {

	ExpressionContext returned(@Nullable Object result) {
		return new ExpressionContext(this.cacheName, this.invocation, this.parameters, result);
	}

	/** Return the key of the expression, or of all arguments. */
	Object key(@Nullable MethodExpression expression) {
		return (expression != null) ? notNull(expression, evaluate(expression)) : allArguments();
	}

	List<Object> keys(MethodExpression expression) {
		Object value = notNull(expression, evaluate(expression));
		return several(value).map((key) -> notNull(expression, key)).toList();
	}

	/** Return tags, without nulls, such as those of a result that is null. */
	List<Object> tags(MethodExpression expression) {
		return several(evaluate(expression)).filter(Objects::nonNull).toList();
	}

	/** Return a cache with the tags of this call. */
	CacheSpec<@Nullable Object> tagged(CacheSpec<@Nullable Object> spec, @Nullable MethodExpression tags) {
		return (tags != null) ? spec.withTags((value) -> returned(value).tags(tags)) : spec;
	}

	private static Stream<@Nullable Object> several(@Nullable Object value) {
		return (value instanceof Collection<?> values) ? values.stream().map((each) -> each)
				: ObjectUtils.isArray(value) ? Stream.of(ObjectUtils.toObjectArray(value)) : Stream.of(value);
	}

	boolean holds(@Nullable MethodExpression condition) {
		return condition == null || evaluate(condition.text(),
				() -> condition.holds(this.invocation.getThis(), this.invocation.getArguments(), unwrapped()));
	}

	@Nullable Object evaluate(MethodExpression expression) {
		return evaluate(expression.text(),
				() -> expression.value(this.invocation.getThis(), this.invocation.getArguments(), unwrapped()));
	}

	private @Nullable Object unwrapped() {
		return ObjectUtils.unwrapOptional(this.result);
	}

	private <T extends @Nullable Object> T evaluate(String text, Supplier<T> evaluation) {
		try {
			return evaluation.get();
		}
		catch (MethodExpressionException ex) {
			throw failure(text, String.valueOf(ex.getMessage()), ex.getCause());
		}
	}

	private Object allArguments() {
		@Nullable Object[] arguments = this.invocation.getArguments();
		Object only = (this.parameters == 1) ? arguments[0] : null;
		return (only != null) ? only : CacheKey.of(Arrays.copyOf(arguments, this.parameters));
	}

	private Object notNull(MethodExpression expression, @Nullable Object key) {
		if (key == null) {
			throw failure(expression.text(), "is null", null);
		}
		return key;
	}

	CacheKeyException failure(String expression, String reason, @Nullable Throwable cause) {
		return new CacheKeyException(this.cacheName,
				"Expression '" + expression + "' of cache '" + this.cacheName + "' " + reason, cause);
	}

	/**
	 * Computes the keys of a method. Created once per method. Thread-safe.
	 */
	sealed interface KeySource {

		/** Return whether the key may depend on the result. */
		boolean needsResult();

		/**
		 * Return whether another thread computes the same key, as long as the arguments
		 * are the same.
		 */
		default boolean isRepeatable() {
			return true;
		}

		/** Return the key of a call, before or after it. */
		Object keyOf(ExpressionContext context);

		/**
		 * An expression, or {@code null} for all arguments.
		 */
		record Written(@Nullable MethodExpression expression) implements KeySource {

			@Override
			public boolean needsResult() {
				return this.expression != null && this.expression.text().contains("result");
			}

			@Override
			public boolean isRepeatable() {
				// a bean or a static method may depend on the thread
				return this.expression == null || !this.expression.text().matches("(?s).*(@|\\bT\\s*\\().*");
			}

			@Override
			public Object keyOf(ExpressionContext context) {
				return context.key(this.expression);
			}

		}

		/**
		 * A key generator of the application. It receives the call but not its result.
		 */
		record Generated(KeyGenerator generator, String beanName, Method method) implements KeySource {

			@Override
			public boolean needsResult() {
				return false;
			}

			@Override
			public boolean isRepeatable() {
				return false;
			}

			@Override
			public Object keyOf(ExpressionContext context) {
				Object key = generate(context);
				if (key == null) {
					throw failure(context, "has returned null", null);
				}
				return key;
			}

			private @Nullable Object generate(ExpressionContext context) {
				try {
					return this.generator.generate(
							Objects.requireNonNull(context.invocation().getThis(), "there is no target"), this.method,
							parameters(context));
				}
				catch (RuntimeException ex) {
					throw failure(context, "has failed: " + ex.getMessage(), ex);
				}
			}

			/**
			 * Return what Spring passes to generators: variable arguments one by one, and
			 * after those of a suspend function its continuation, which Spring's
			 * generators ignore.
			 */
			private @Nullable Object[] parameters(ExpressionContext context) {
				@Nullable Object[] given = context.invocation().getArguments();
				int last = given.length - 1;
				return this.method.isVarArgs() ? Stream
					.concat(Arrays.stream(given, 0, last), Arrays.stream(ObjectUtils.toObjectArray(given[last])))
					.toArray() : given.clone();
			}

			private CacheKeyException failure(ExpressionContext context, String reason, @Nullable Throwable cause) {
				return new CacheKeyException(context.cacheName(), "Key generator '" + this.beanName + "' of cache '"
						+ context.cacheName() + "' " + reason + ", for " + MethodNames.describe(this.method), cause);
			}

		}

	}

}
