package io.github.lockboot.cache.aop;

import java.util.List;
import java.util.concurrent.Executor;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.Internal;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodAdvisor;
import io.github.lockboot.aop.AnnotatedMethodInterceptor;
import io.github.lockboot.aop.DeclarationFinder;
import io.github.lockboot.aop.TransactionOrder;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.expression.MethodExpressionParser;

/**
 * Connects the annotations of the cache with an application: provides the advisor, and a
 * report on the annotated methods once the application has started. An application
 * without annotated methods loads little else of the cache.
 */
@Internal
public final class CacheAnnotations {

	private final DeclarationFinder<CacheDeclaration> finder = CacheDeclaration.finder();

	private final ConfigurableListableBeanFactory beanFactory;

	private final AnnotatedMethodInterceptor<CacheDeclaration, CachedMethod> interceptor;

	private final int order;

	/**
	 * Create the advice, without creating a bean of the application.
	 * @param placeholders resolves <code>${}</code> and throws
	 * {@link IllegalArgumentException} where it cannot
	 * @param order order of the advisor; lower is further outside
	 * @param executor where evicts and puts run after asynchronous methods
	 */
	public CacheAnnotations(ConfigurableListableBeanFactory beanFactory, StringValueResolver placeholders, int order,
			Executor executor) {
		this.beanFactory = beanFactory;
		this.order = order;
		this.interceptor = new AnnotatedMethodInterceptor<>(this.finder,
				new CachedMethodParser(new MethodExpressionParser(beanFactory, placeholders), placeholders, beanFactory,
						this::operations, executor));
	}

	public Advisor advisor() {
		return new AnnotatedMethodAdvisor(this.finder, this.interceptor, this.order, "cache",
				InvalidCacheAnnotationException::new);
	}

	/** Return whether a bean has annotated methods. */
	public boolean isUsed() {
		return AnnotatedMethod.find(this.beanFactory, this.finder::isCandidate, this.finder::find)
			.findAny()
			.isPresent();
	}

	/**
	 * Report on the annotated methods of all beans. This creates the cache and the key
	 * generators that they name, but no other bean.
	 */
	public CacheAnnotationsReport report() {
		try {
			String problem = TransactionOrder.TRANSACTIONS ? TransactionOrder.problem(this.beanFactory, "the cache",
					this.order, "results would be kept, and entries evicted,", "lock.cache.aspect.order") : null;
			return CacheAnnotationsReport.of(this.finder.findAll(this.beanFactory), this.interceptor, operations(),
					problem);
		}
		catch (InvalidCacheAnnotationException ex) {
			return new CacheAnnotationsReport(ex.findings(), List.of());
		}
	}

	private CacheOperations operations() {
		try {
			return this.beanFactory.getBean(CacheOperations.class);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new InvalidCacheAnnotationException(List
				.of("There are methods with @RedisCache, @RedisCachePut or @RedisCacheEvict, and no CacheOperations bean"
						+ " to cache them with, or several: add spring-boot-starter-data-redis with Lettuce, or set"
						+ " lock.cache.enabled=false to run them uncached"));
		}
	}

}
