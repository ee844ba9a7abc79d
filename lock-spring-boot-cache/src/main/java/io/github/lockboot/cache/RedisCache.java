package io.github.lockboot.cache;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.core.annotation.AliasFor;

/**
 * Caches the results of a method in Redis. For each key, one caller in all instances of
 * an application runs the method, and the others receive its result; loads of different
 * keys do not wait for each other.
 * <p>
 * The type of the results is the declared type of the method, including {@code Optional}.
 * The type must define its values: the startup fails for {@code Object}, wildcards and
 * interfaces.
 * <p>
 * For a {@link java.util.concurrent.CompletionStage}, a {@code Mono} or a suspend
 * function the value is cached, for a {@code Flux} or a {@code Flow} the list of its
 * elements. No thread waits for these results; such a method does not run on the thread
 * of its caller.
 * <p>
 * All callers that wait in the same JVM receive an exception of the method, which is not
 * cached. A call that bypasses the Spring bean is not cached. Expressions are SpEL, as in
 * the keys of locks: an unknown variable is an error when the application starts.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface RedisCache {

	/** Alias for {@link #name()}. */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the cache, for {@link RedisCacheEvict} and {@link RedisCachePut}, the
	 * metrics of the cache and its properties in {@code lock.cache.caches}. The name is a
	 * literal without braces, in which <code>${}</code> is resolved. Methods with the
	 * same name share entries. The default is the name in {@link RedisCacheConfig}, or
	 * else consists of class, method and a digest of the parameter types, so that methods
	 * do not share entries. The class is that of the bean: beans of two subclasses do not
	 * share the entries of an inherited method, two beans of one class do.
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Key of the entry: {@code #id}, {@code #p0}, {@code #order.id}; or a template,
	 * <code>#{#shop}/#{#id}</code>; or several parts, <code>{#shop, #id}</code>. A null
	 * is an error. The default is all arguments.
	 */
	String key() default "";

	/**
	 * Bean name of a {@link KeyGenerator} that generates the key in place of
	 * {@link #key()}. Placeholders are resolved. A generated null is an error.
	 */
	String keyGenerator() default "";

	/**
	 * Several keys in place of {@link #key()}: the only parameter of the method, such as
	 * {@code #ids}, a {@code Collection}, {@code List} or {@code Set}. The method returns
	 * a {@code Map} of the values by their keys, and is called with the missing keys
	 * only, as {@link CacheOperations#getAll}. A key without a value in the map is stored
	 * like a null. In other expressions {@code #result} is the value of one key.
	 */
	String keys() default "";

	/**
	 * Tags of the entry, evaluated on the arguments and {@code #result}: an expression
	 * for one tag, {@code 'shop:' + #shop}, or for several.
	 * {@link RedisCacheEvict#tags()} evicts all entries of a tag. Nulls are no tags. By
	 * default there are none.
	 */
	String tags() default "";

	/**
	 * How long a result is fresh: {@code 500ms}, {@code 10m}, {@code PT1H} or a
	 * placeholder. An expression that begins with {@code #}, for example
	 * {@code #result.maxAge()}, is evaluated after the call, and returns a
	 * {@code Duration} or a number of milliseconds. More than 365 days count as 365 days
	 * there, and stop the start elsewhere. The default is the property
	 * {@code lock.cache.caches.<name>.ttl}, or else {@code lock.cache.ttl}.
	 */
	String ttl() default "";

	/**
	 * How long a {@code null} or an empty {@code Optional} is fresh; {@code 0} means that
	 * they are not stored. The format is that of {@link #ttl()}, without expressions.
	 */
	String nullTtl() default "";

	/**
	 * How long after its {@link #ttl()} a result is served while a new one is loaded in
	 * the background.
	 */
	String staleTtl() default "";

	/**
	 * How early a result is refreshed in the background before it expires: {@code 0}
	 * means never, {@code 1} usually means by the time of one load.
	 * @return a number, or a placeholder
	 */
	String refreshAhead() default "";

	/**
	 * How long a local copy in this JVM is served without a command to Redis. A change in
	 * another JVM takes effect when its message arrives, and after this time at the
	 * latest. Local copies require Caffeine.
	 */
	String localTtl() default "";

	/**
	 * Whether a call is cached, evaluated on its arguments; otherwise the method runs.
	 */
	String condition() default "";

	/** Whether a result is not stored, evaluated on {@code #result} and the arguments. */
	String unless() default "";

}
