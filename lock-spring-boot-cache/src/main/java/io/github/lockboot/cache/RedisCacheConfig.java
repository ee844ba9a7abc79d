package io.github.lockboot.cache;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.core.annotation.AliasFor;

/**
 * Defaults for the annotated methods of a class, which the annotations of a method
 * override. This annotation itself caches nothing.
 * <p>
 * The annotation may also be on a superclass or an interface. The annotation nearest to
 * the class of the bean applies as a whole, also to inherited methods: a class can thus
 * name the cache of methods that it inherits.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RedisCacheConfig {

	/** Alias for {@link #name()}. */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the cache of all methods without a name, as in {@link RedisCache#name()}.
	 * Only one {@link RedisCache} method may use this name: methods that share entries
	 * must be named explicitly.
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Bean name of a {@link KeyGenerator} for all methods without keys and generator, as
	 * in {@link RedisCache#keyGenerator()}.
	 */
	String keyGenerator() default "";

}
