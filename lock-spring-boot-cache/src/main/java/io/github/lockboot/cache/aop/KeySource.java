package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.util.ObjectUtils;

import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.spring.SpringKeys;
import io.github.lockboot.expression.MethodExpression;

/**
 * Computes the keys of a method. Created once per method. Thread-safe.
 */
sealed interface KeySource {

	/** Return whether the key may depend on the result. */
	boolean needsResult();

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
		public Object keyOf(ExpressionContext context) {
			Object key = generate(context);
			if (key == null) {
				throw failure(context, "has returned null", null);
			}
			return SpringKeys.of(key);
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
		 * after those of a suspend function its continuation, which Spring's generators
		 * ignore.
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
