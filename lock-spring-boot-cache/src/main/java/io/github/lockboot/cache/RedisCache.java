package io.github.lockboot.cache;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.core.annotation.AliasFor;

/**
 * A method whose results are kept in Redis, and loaded by one caller at a time for each
 * key, across all instances of an application. The others get what that one has loaded;
 * no load waits for the load of another key.
 * <p>
 * The type of the results is that which the method declares, {@code Optional} included;
 * it must say what its values are. {@code Object}, wildcards and interfaces are refused
 * when the application starts.
 * <p>
 * Of a {@link java.util.concurrent.CompletionStage}, a {@code Mono} or a suspend function
 * the value is kept, of a {@code Flux} or a {@code Flow} the list of its elements. No
 * thread waits for these; such a method does not run on the thread of its caller.
 * <p>
 * What the method throws reaches all callers that wait for it in the same JVM, and is not
 * kept. A call that does not go through the Spring bean is not cached. Expressions are
 * SpEL, as in the keys of locks: an unknown variable is an error when the application
 * starts.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface RedisCache {

	/**
	 * Alias for {@link #name()}.
	 * @return the name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the cache: what {@link RedisCacheEvict} and {@link RedisCachePut} name, tag
	 * of its metrics, and its id under {@code lock.cache.caches}. A literal without
	 * braces, in which <code>${}</code> is resolved. Methods with the same name share
	 * entries. By default that of {@link RedisCacheConfig}, then class and method with a
	 * digest of the types of its parameters, so that no two methods share any. The class
	 * is that of the bean, wherever the annotation stands: beans of two subclasses share
	 * nothing that they inherit, two beans of one class share all.
	 * @return the name
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Which entry a call is about: {@code #id}, {@code #p0}, {@code #order.id}; or a
	 * template, <code>#{#shop}/#{#id}</code>; or several parts,
	 * <code>{#shop, #id}</code>. A null is an error. By default all arguments.
	 * @return the key
	 */
	String key() default "";

	/**
	 * Bean name of a {@link KeyGenerator} that makes the key in place of {@link #key()}.
	 * Placeholders are resolved. What it returns is written as any other key; a null is
	 * an error.
	 * @return the bean name, by default none
	 */
	String keyGenerator() default "";

	/**
	 * How long a result is fresh: {@code 500ms}, {@code 10m}, {@code PT1H} or a
	 * placeholder. An expression that begins with {@code #} is evaluated on the result:
	 * {@code #result.maxAge()}, a {@code Duration} or a number of milliseconds. By
	 * default the property {@code lock.cache.caches.<name>.ttl}, then
	 * {@code lock.cache.ttl}.
	 * @return the time
	 */
	String ttl() default "";

	/**
	 * How long a {@code null} or an empty {@code Optional} is; {@code 0} does not keep
	 * them. Written as {@link #ttl()}, without expressions.
	 * @return the time
	 */
	String nullTtl() default "";

	/**
	 * How much longer a result is served while a new one is loaded in the background.
	 * @return the time
	 */
	String staleTtl() default "";

	/**
	 * How eagerly a result is loaded anew before it ends, in the background: {@code 0}
	 * never, {@code 1} usually about as long before its end as a load takes.
	 * @return a number, or a placeholder
	 */
	String refreshAhead() default "";

	/**
	 * How long a copy in this JVM is served without asking Redis. A change elsewhere is
	 * seen when its message arrives, and after this time at the latest. Needs Caffeine.
	 * @return the time
	 */
	String localTtl() default "";

	/**
	 * Whether a call is cached at all, from its arguments; else the method just runs.
	 * @return an expression that gives true or false
	 */
	String condition() default "";

	/**
	 * Whether a result is not kept, from {@code #result} and the arguments.
	 * @return an expression that gives true or false
	 */
	String unless() default "";

}
