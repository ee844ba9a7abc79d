package io.github.lockboot.cache.aop;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
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
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.codec.TypeShape;
import io.github.lockboot.expression.MethodExpressionParser;

/**
 * Connects the annotations of the cache with an application: provides the advisor, and a
 * report on the annotated methods once the application has started.
 */
@Internal
public final class CacheAnnotations {

	private final DeclarationFinder<CacheDeclaration> finder;

	private final ConfigurableListableBeanFactory beanFactory;

	private final AnnotatedMethodInterceptor<CacheDeclaration, CachedMethod> interceptor;

	private final AnnotatedMethodAdvisor advisor;

	/** Create the advice, without creating a bean of the application. */
	CacheAnnotations(DeclarationFinder<?> types, ConfigurableListableBeanFactory beanFactory,
			StringValueResolver placeholders, int order, Executor executor) {
		this.finder = types.with(CacheDeclaration::read);
		this.beanFactory = beanFactory;
		CachedMethodParser parser = new CachedMethodParser(new MethodExpressionParser(beanFactory, placeholders),
				placeholders, beanFactory, this::operations, executor);
		this.interceptor = new AnnotatedMethodInterceptor<>(this.finder, parser::parse);
		this.advisor = new AnnotatedMethodAdvisor(this.finder, this.interceptor, order, "cache",
				InvalidCacheAnnotationException::new);
	}

	AnnotatedMethodAdvisor advisor() {
		return this.advisor;
	}

	/**
	 * Report on the annotated methods of all beans. If there are any, this creates the
	 * cache and the key generators that they name, but no other bean.
	 */
	public Report report() {
		List<AnnotatedMethod<CacheDeclaration>> found = this.finder.findAll(this.beanFactory);
		if (found.isEmpty()) {
			return new Report(List.of(), List.of());
		}
		try {
			String problem = TransactionOrder.TRANSACTIONS ? TransactionOrder.problem(this.beanFactory, "the cache",
					this.advisor.getOrder(), "results would be kept, and entries evicted,", "lock.cache.aspect.order")
					: null;
			return report(found, operations(), problem);
		}
		catch (InvalidCacheAnnotationException ex) {
			return new Report(ex.findings(), List.of());
		}
	}

	private Report report(List<AnnotatedMethod<CacheDeclaration>> methods, CacheOperations operations,
			@Nullable String transactionProblem) {
		ProxyCheck proxies = new ProxyCheck(this.interceptor, "cache", "cached");
		// by name of the cache, then by shape of the values: the first method
		Map<String, Map<Integer, String>> uses = new TreeMap<>();
		Stream<@Nullable String> problems = methods.stream().map((cached) -> {
			String problem = proxies.problemOf(cached);
			return (problem != null) ? cached.describe() + " " + problem : problemOf(cached, operations, uses);
		});
		List<String> findings = Stream.concat(problems, Stream.ofNullable(transactionProblem))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
		return new Report(findings, warnings(uses));
	}

	private @Nullable String problemOf(AnnotatedMethod<CacheDeclaration> cached, CacheOperations operations,
			Map<String, Map<Integer, String>> uses) {
		try {
			CachedMethod found = this.interceptor.find(cached.method(), cached.beanType());
			if (found != null) {
				found.specs().forEach(operations::check);
				found.writes().forEach((write) -> operations.check(connecting(write.cacheName())));
				found.specs()
					.forEach((spec) -> uses.computeIfAbsent(spec.name(), (name) -> new LinkedHashMap<>())
						.putIfAbsent(TypeShape.of(spec.type()), spec.type().getTypeName() + " by " + cached.describe()
								+ " of bean '" + cached.beanName() + "'"));
			}
			return null;
		}
		catch (CacheException ex) {
			return String.valueOf(ex.getMessage()).lines().reduce((first, last) -> last.trim()).orElse("");
		}
		catch (IllegalArgumentException ex) {
			return cached.describe() + ": " + ex.getMessage();
		}
	}

	/** An evict has no type of values, but connects at the start like the others. */
	private static CacheSpec<?> connecting(String cacheName) {
		return CacheSpec.of(cacheName, String.class).with((settings) -> settings.withLocalTtl(Duration.ZERO));
	}

	/** Methods whose values differ in type overwrite each other's entries. */
	private static List<String> warnings(Map<String, Map<Integer, String>> uses) {
		return uses.entrySet()
			.stream()
			.filter((cache) -> cache.getValue().size() > 1)
			.map((cache) -> "Cache '" + cache.getKey() + "' has values of the type "
					+ String.join(", and of the type ", cache.getValue().values())
					+ ": where their keys are equal they miss each other's entries and overwrite them."
					+ " Give each type a cache of its own by another name, or all methods one type")
			.toList();
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
	 * One sentence for each problem, with class, method and solution.
	 *
	 * @param findings why methods would not be cached, or fail at every call
	 * @param warnings what works but is probably a mistake
	 */
	public record Report(List<String> findings, List<String> warnings) {

	}

}
