package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringValueResolver;
import org.springframework.util.function.SingletonSupplier;

import io.github.lockboot.Internal;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.DeclarationFinder;

/**
 * Caches annotated methods. It searches for annotations by their names, and loads the
 * classes of the cache when the first bean has one: an application without annotated
 * methods pays for this class only.
 */
@Internal
@SuppressWarnings("serial")
public final class CacheAdvisor extends AbstractPointcutAdvisor {

	/** As in {@code CacheDeclaration}, without its classes. */
	static final List<String> ANNOTATIONS = List.of("io.github.lockboot.cache.RedisCache",
			"io.github.lockboot.cache.RedisCachePut", "io.github.lockboot.cache.RedisCachePut$Several",
			"io.github.lockboot.cache.RedisCacheEvict", "io.github.lockboot.cache.RedisCacheEvict$Several");

	private final DeclarationFinder<?> types = new DeclarationFinder<>(ANNOTATIONS, (annotations, method) -> null);

	private final Pointcut pointcut = new CachedMethods();

	private final ConfigurableListableBeanFactory beanFactory;

	private final Supplier<CacheAnnotations> annotations;

	/**
	 * Create an advisor, without creating a bean of the application.
	 * @param placeholders resolves <code>${}</code> and throws
	 * {@link IllegalArgumentException} where it can't
	 * @param order order of the advisor; lower is further outside
	 * @param executor where evicts and puts run after asynchronous methods
	 */
	public CacheAdvisor(ConfigurableListableBeanFactory beanFactory, StringValueResolver placeholders, int order,
			Executor executor) {
		setOrder(order);
		this.beanFactory = beanFactory;
		this.annotations = SingletonSupplier
			.of(() -> new CacheAnnotations(this.types, beanFactory, placeholders, order, executor));
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return annotations().advisor().getAdvice();
	}

	/** Whether a bean may have annotated methods. */
	public boolean isUsed() {
		return AnnotatedMethod.find(this.beanFactory, this.types::isCandidate, (method, type) -> method)
			.findAny()
			.isPresent();
	}

	public CacheAnnotations annotations() {
		return this.annotations.get();
	}

	private final class CachedMethods extends StaticMethodMatcherPointcut {

		CachedMethods() {
			setClassFilter(CacheAdvisor.this.types::isCandidate);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return annotations().advisor().getPointcut().getMethodMatcher().matches(method, targetClass);
		}

	}

}
