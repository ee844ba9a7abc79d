package io.github.lockboot.cache;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Replaces an entry of a cache with the result of a method after the method has returned,
 * inside a transaction after its commit; not after an exception or a rollback. The method
 * always runs. Loads that began before are not stored.
 *
 * @since 1.0.0
 */
@Documented
@Repeatable(RedisCachePut.Several.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface RedisCachePut {

	/** Alias for {@link #name()}. */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the cache. Required, here or in {@link RedisCacheConfig}. The declared type
	 * of the method must be that of the methods that read the cache.
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Key of the entry, as in {@link RedisCache#key()}, also evaluated on
	 * {@code #result}. The default is all arguments.
	 */
	String key() default "";

	/**
	 * Bean name of a generator of the key, as in {@link RedisCache#keyGenerator()}, from
	 * the call without its result.
	 */
	String keyGenerator() default "";

	/** Tags of the entry, as in {@link RedisCache#tags()}. */
	String tags() default "";

	/**
	 * Version of the result, as an expression for an integer: {@code #result.version}.
	 * The result is put as by {@link CacheOperations#putIfNewer}, so that results may
	 * arrive twice or out of order. A value that is not an integer is an error, after
	 * which the entry is evicted. By default there is no version, and every result is
	 * put.
	 */
	String version() default "";

	/**
	 * How long the result is fresh, as in {@link RedisCache#ttl()}, without expressions.
	 */
	String ttl() default "";

	/**
	 * Whether the method changes the entry, evaluated on the arguments and
	 * {@code #result}. If the method does not change the entry, the entry remains.
	 */
	String condition() default "";

	/**
	 * Whether the result is not stored, evaluated on {@code #result} and the arguments.
	 * The entry is then evicted, since the method may have changed its data; an entry
	 * with a newer {@link #version()} remains.
	 */
	String unless() default "";

	/** Several puts of one method. */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@interface Several {

		RedisCachePut[] value();

	}

}
