package io.github.lockboot.cache.aspect;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;

import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;

/**
 * The annotations of the cache as they were found for a method: on the method of the
 * target class, or on what it overrides or implements.
 *
 * @param method the method of the target class
 * @param read where its results are kept, or {@code null}
 * @param puts what its result replaces
 * @param evicts what is wrong after it
 */
record CacheDeclaration(Method method, @Nullable MergedAnnotation<RedisCache> read,
		List<MergedAnnotation<RedisCachePut>> puts, List<MergedAnnotation<RedisCacheEvict>> evicts) {

	static final Set<Class<? extends Annotation>> TYPES = Set.of(RedisCache.class, RedisCachePut.class,
			RedisCachePut.Several.class, RedisCacheEvict.class, RedisCacheEvict.Several.class);

	/** Return the declaration of a method, or {@code null} if it has none. */
	static @Nullable CacheDeclaration find(Method method, Class<?> targetClass) {
		// the class of a proxy has other names in each JVM
		Method specific = Proxy.isProxyClass(targetClass) ? method
				: AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(targetClass));
		return Stream.of(specific, method)
			.map((candidate) -> of(specific, candidate))
			.filter((found) -> found.read != null || !found.puts.isEmpty() || !found.evicts.isEmpty())
			.findFirst()
			.orElse(null);
	}

	private static CacheDeclaration of(Method method, Method annotated) {
		MergedAnnotations annotations = MergedAnnotations.from(annotated, SearchStrategy.TYPE_HIERARCHY,
				RepeatableContainers.standardRepeatables());
		MergedAnnotation<RedisCache> read = annotations.get(RedisCache.class);
		return new CacheDeclaration(method, read.isPresent() ? read : null,
				annotations.stream(RedisCachePut.class).toList(), annotations.stream(RedisCacheEvict.class).toList());
	}

	Class<?> owner(Class<?> targetClass) {
		return owner(this.method, targetClass);
	}

	/**
	 * Return whose method it is: the class of the bean, also where it inherits the
	 * method; or the interface of a class that is made at run time, under another name in
	 * every JVM, or that knows nothing of it, as the one behind a repository.
	 * @param method the method
	 * @param targetClass the class that it is called on
	 */
	static Class<?> owner(Method method, Class<?> targetClass) {
		Class<?> declaring = method.getDeclaringClass();
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		if (Proxy.isProxyClass(userClass) || userClass.isHidden()) {
			return Arrays.stream(userClass.getInterfaces())
				.filter((type) -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()))
				.findFirst()
				.orElse(declaring);
		}
		return declaring.isAssignableFrom(userClass) ? userClass : declaring;
	}

	/** Whether it leaves open where its results are kept. */
	boolean readsWithoutName() {
		return this.read != null && this.read.getString("name").isEmpty();
	}

	String describe() {
		return describe(this.method);
	}

	static String describe(Method method) {
		String parameters = String.join(",", Stream.of(method.getParameterTypes()).map(Class::getSimpleName).toList());
		return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
	}

}
