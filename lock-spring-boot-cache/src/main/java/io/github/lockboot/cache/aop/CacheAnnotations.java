package io.github.lockboot.cache.aop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.Internal;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodAdvisor;
import io.github.lockboot.aop.AnnotatedMethodInterceptor;
import io.github.lockboot.aop.DeclarationFinder;
import io.github.lockboot.aop.ProxyCheck;
import io.github.lockboot.aop.TransactionOrder;
import io.github.lockboot.cache.CacheException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
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
		return new AnnotatedMethodAdvisor<>(this.finder, (declaration) -> true, this.interceptor, this.order,
				this.beanFactory);
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
	 * @param declared names of the caches that other beans declare
	 * @param configured names of the caches with settings
	 * @param isFor returns whether a name with settings, the first argument, is that of a
	 * cache
	 * @param isLike returns whether a name is probably another one, misspelt
	 */
	public Report report(Collection<String> declared, Collection<String> configured, BiPredicate<String, String> isFor,
			BiPredicate<String, String> isLike) {
		ProxyCheck proxies = new ProxyCheck(this.interceptor, "cache", "cached");
		List<CacheMistakes.Use> uses = new ArrayList<>();
		Set<String> findings = new LinkedHashSet<>();
		try {
			CacheOperations operations = operations();
			for (AnnotatedMethod<CacheDeclaration> cached : this.finder.findAll(this.beanFactory)) {
				String problem = proxies.problemOf(cached);
				if (problem == null) {
					check(cached, operations, findings, uses);
				}
				else {
					findings.add(cached.describe() + " " + problem);
				}
			}
			String problem = TransactionOrder.TRANSACTIONS ? TransactionOrder.problem(this.beanFactory, "the cache",
					this.order, "results would be kept, and entries evicted,", "lock.cache.aspect.order") : null;
			Stream.ofNullable(problem).forEach(findings::add);
		}
		catch (InvalidCacheAnnotationException ex) {
			return new Report(ex.findings(), List.of());
		}
		return new Report(List.copyOf(findings),
				new CacheMistakes(uses, declared, configured, isFor, isLike, isUsedByCode()).find());
	}

	/** Return whether a bean of the application has the cache injected. */
	private boolean isUsedByCode() {
		return Stream.of(this.beanFactory.getBeanNamesForType(CacheOperations.class, true, false))
			.flatMap((name) -> Stream.of(this.beanFactory.getDependentBeans(name)))
			.map((name) -> this.beanFactory.getType(name, false))
			.anyMatch((type) -> type == null || !type.getName().startsWith("io.github.lockboot.cache."));
	}

	private void check(AnnotatedMethod<CacheDeclaration> cached, CacheOperations operations, Set<String> findings,
			List<CacheMistakes.Use> uses) {
		try {
			CachedMethod found = Objects.requireNonNull(this.interceptor.find(cached.method(), cached.beanType()));
			found.specs().forEach(operations::check);
			found.writes().forEach((write) -> operations.check(connecting(write.cacheName())));
			uses.add(new CacheMistakes.Use(cached, found));
		}
		catch (CacheException ex) {
			findings.add(String.valueOf(ex.getMessage()).lines().reduce((first, last) -> last.trim()).orElse(""));
		}
		catch (IllegalArgumentException ex) {
			findings.add(cached.describe() + ": " + ex.getMessage());
		}
	}

	/**
	 * Return a cache for an evict, which has no type of values, but connects at the start
	 * like the others. It must not be the first to define local copies, whose settings
	 * the others would share.
	 */
	private static CacheSpec<?> connecting(String cacheName) {
		return CacheSpec.of(cacheName, String.class).with(CacheSettings::withoutCopies);
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

	/**
	 * One sentence for each problem of the annotated methods, with class, method and
	 * solution.
	 *
	 * @param findings why methods would not be cached, or fail at every call
	 * @param warnings what works but is probably a mistake
	 */
	public record Report(List<String> findings, List<String> warnings) {

	}

}
