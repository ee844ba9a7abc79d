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
 * A method after which entries of a cache are wrong. They are evicted when the method has
 * returned, inside of a transaction after its commit; not if it throws or is rolled back.
 * The method returns after Redis has evicted them. Loads that began before are not kept,
 * wherever they run. If Redis fails, the evict is retried in the background.
 *
 * @since 1.0.0
 */
@Documented
@Repeatable(RedisCacheEvict.Several.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface RedisCacheEvict {

	/**
	 * Alias for {@link #name()}.
	 * @return the name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the cache. Must be given, here or by {@link RedisCacheConfig}.
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
	 * Which entries, as an expression that gives a collection or an array of keys;
	 * instead of {@link #key()}.
	 * @return the keys
	 */
	String keys() default "";

	/**
	 * Whether all entries of the cache are evicted; without key and keys.
	 * @return false by default
	 */
	boolean allEntries() default false;

	/**
	 * Whether anything is evicted, from the arguments and {@code #result}.
	 * @return an expression that gives true or false
	 */
	String condition() default "";

	/**
	 * How long the data may still be read as they were before, from a replica that lags
	 * for instance. Entries loaded during that time live no longer than it, whatever
	 * changes them meanwhile. Not with {@link #allEntries()}.
	 * @return the time, by default none
	 */
	String grace() default "0";

	/**
	 * Whether the entries are evicted before the method runs, also inside of a
	 * transaction. Others may read and cache the old data while it runs, so they are
	 * evicted again when it ends, by an exception too; inside of a transaction after the
	 * commit. Expressions don't know {@code #result} then.
	 * @return false by default
	 */
	boolean beforeInvocation() default false;

	/**
	 * Whether the caller gets a {@link CacheUnavailableException} if Redis fails to evict
	 * the entries. The method has run then, and its transaction is committed; with
	 * {@link #beforeInvocation()} it does not run. The evict is retried in the background
	 * either way.
	 * @return false by default
	 */
	boolean failOnError() default false;

	/**
	 * Several evictions of one method.
	 */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@interface Several {

		/**
		 * Return them.
		 * @return the evictions
		 */
		RedisCacheEvict[] value();

	}

}
