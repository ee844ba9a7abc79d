package io.github.lockboot.cache;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.core.annotation.AliasFor;

/**
 * A method whose result replaces an entry of a cache, when it has returned, inside of a
 * transaction after its commit; not if it throws or is rolled back. It always runs. Loads
 * that began before are not kept.
 *
 * @since 1.0.0
 */
@Documented
@Repeatable(RedisCachePut.Several.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface RedisCachePut {

	/**
	 * Alias for {@link #name()}.
	 * @return the name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the cache. Must be given, here or by {@link RedisCacheConfig}. The declared
	 * type of the method must be that of the methods that read the cache.
	 * @return the name
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Which entry, as in {@link RedisCache#key()}; {@code #result} is known too. By
	 * default all arguments.
	 * @return the key
	 */
	String key() default "";

	/**
	 * Bean name of a {@link KeyGenerator} that makes the key in place of {@link #key()}.
	 * Placeholders are resolved. What it returns is written as any other key; a null is
	 * an error. It sees the call and not its result.
	 * @return the bean name, by default none
	 */
	String keyGenerator() default "";

	/**
	 * Version of the result, as an expression that gives a whole number:
	 * {@code #result.version}. The result is put only if it is greater than that of the
	 * last put with one, so that results that come twice or out of order do no harm. What
	 * was loaded has no version and is replaced. A version is remembered as long as the
	 * result that came with it would live, also one that is not kept, and not over an
	 * evict of all entries. Anything but a whole number is an error, after which the
	 * entry is evicted. By default there is none, and every result is put.
	 * @return the version
	 */
	String version() default "";

	/**
	 * How long the result is fresh, as in {@link RedisCache#ttl()}, without expressions.
	 * @return the time
	 */
	String ttl() default "";

	/**
	 * Whether the method changes the entry, from the arguments and {@code #result}. If
	 * not, the entry stays as it is.
	 * @return an expression that gives true or false
	 */
	String condition() default "";

	/**
	 * Whether the result is not kept, from {@code #result} and the arguments. The entry
	 * is evicted then, since the method may have changed its data; a newer
	 * {@link #version()} stays.
	 * @return an expression that gives true or false
	 */
	String unless() default "";

	/**
	 * Several puts of one method.
	 */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@interface Several {

		/**
		 * Return them.
		 * @return the puts
		 */
		RedisCachePut[] value();

	}

}
