package io.github.lockboot.cache;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.core.annotation.AliasFor;

/**
 * What the methods of a class share that have annotations of the cache; what a method
 * says itself wins. It caches nothing.
 * <p>
 * It may stand on a superclass or an interface too. The one nearest to the class of the
 * bean counts, as a whole, also for inherited methods: so a class can name the cache of
 * methods that it inherits.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RedisCacheConfig {

	/**
	 * Alias for {@link #name()}.
	 * @return the name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the cache of all methods that name none, as in {@link RedisCache#name()}.
	 * Only one {@link RedisCache} method may take it from here: two of them would share
	 * entries, which they have to say themselves.
	 * @return the name, by default none
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Bean name of a {@link KeyGenerator} for all methods that name neither keys nor a
	 * generator, as in {@link RedisCache#keyGenerator()}.
	 * @return the bean name, by default none
	 */
	String keyGenerator() default "";

}
