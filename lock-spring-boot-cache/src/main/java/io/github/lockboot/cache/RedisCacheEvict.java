package io.github.lockboot.cache;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Evicts entries of a cache after a method has returned, inside a transaction after its
 * commit; not after an exception or a rollback. The call returns after Redis has evicted
 * the entries. Loads that began before are not stored in any JVM. If Redis fails, the
 * evict is retried in the background.
 *
 * @since 1.0.0
 */
@Documented
@Repeatable(RedisCacheEvict.Several.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface RedisCacheEvict {

	/** Alias for {@link #name()}. */
	@AliasFor("name")
	String value() default "";

	/** Name of the cache. Required, here or in {@link RedisCacheConfig}. */
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

	/**
	 * Keys of the entries: an expression for a collection or an array, in place of
	 * {@link #key()}.
	 */
	String keys() default "";

	/**
	 * Tags whose entries are evicted: an expression for one or several, as in
	 * {@link RedisCache#tags()}, in place of keys. One command for a tag, whatever the
	 * number of its entries. Takes effect in other JVMs when its message arrives, and
	 * after two seconds at the latest.
	 */
	String tags() default "";

	/**
	 * Whether all entries of the cache are evicted. This attribute cannot be combined
	 * with keys or tags.
	 */
	boolean allEntries() default false;

	/** Whether entries are evicted, evaluated on the arguments and {@code #result}. */
	String condition() default "";

	/**
	 * How long loads may still read data from before the change, as in
	 * {@link CacheEviction#grace()}. This attribute cannot be combined with
	 * {@link #allEntries()} or {@link #tags()}.
	 */
	String grace() default "0";

	/**
	 * Whether the entries are evicted before the method runs, also inside a transaction.
	 * Other callers may cache the old data while the method runs, so the entries are
	 * evicted again when the method ends, even with an exception; inside a transaction,
	 * after the commit. Expressions then cannot use {@code #result}.
	 */
	boolean beforeInvocation() default false;

	/**
	 * Whether the call throws a {@link CacheUnavailableException} if Redis fails to evict
	 * the entries. The method has then run, and its transaction is committed; with
	 * {@link #beforeInvocation()} the method does not run. The evict is retried in the
	 * background in any case.
	 */
	boolean failOnError() default false;

	/** Several evictions of one method. */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@interface Several {

		RedisCacheEvict[] value();

	}

}
