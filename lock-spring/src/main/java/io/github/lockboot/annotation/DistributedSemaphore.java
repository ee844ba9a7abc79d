package io.github.lockboot.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

import io.github.lockboot.OnLost;

/**
 * Limits how many calls of a method run at the same time across all instances of an
 * application: {@link DistributedLock} with more than one holder. A call that holds a
 * permit and calls the method again needs no second permit.
 *
 * @since 1.0.0
 * @see io.github.lockboot.LockSemaphore
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@DistributedLock
public @interface DistributedSemaphore {

	/**
	 * How many calls may run at the same time; at least 1, which means an exclusive lock.
	 * A number, a placeholder such as <code>${shop.permits}</code>, or a SpEL expression
	 * that may contain whatever a {@link #key()} may contain. A placeholder and an
	 * expression are evaluated for each call: a new number applies from the next call on.
	 * Placeholders inside an expression are resolved once. By default, the property
	 * {@code lock.locks.<name>.permits} applies.
	 */
	String permits() default "";

	/**
	 * Which semaphore to use, as a SpEL expression; by default, all calls share one
	 * semaphore.
	 * @see DistributedLock#key()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "key")
	String key() default "";

	/**
	 * First segment of the semaphore's name, and its id under {@code lock.locks}.
	 * @see DistributedLock#name()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String name() default "";

	/**
	 * How long to wait for a permit.
	 * @see DistributedLock#waitTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "waitTime")
	String waitTime() default "";

	/**
	 * How long a permit remains after its holder has died.
	 * @see DistributedLock#leaseTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "leaseTime")
	String leaseTime() default "";

	/**
	 * Maximum time for which a permit is held.
	 * @see DistributedLock#maxHoldTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "maxHoldTime")
	String maxHoldTime() default "";

	/**
	 * Minimum time for which a permit is held.
	 * @see DistributedLock#minHoldTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "minHoldTime")
	String minHoldTime() default "";

	/**
	 * How many calls of this instance may wait for a permit at the same time.
	 * @see DistributedLock#maxWaiting()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "maxWaiting")
	int maxWaiting() default -1;

	/**
	 * The method to call instead if no permit is free.
	 * @see DistributedLock#fallback()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "fallback")
	String fallback() default "";

	/**
	 * Which calls need a permit.
	 * @see DistributedLock#condition()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "condition")
	String condition() default "";

	/**
	 * Bean name of the {@code LockOperations} that issue the permits.
	 * @see DistributedLock#template()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "template")
	String template() default "";

	/**
	 * What a call does if no permit is free.
	 * @see DistributedLock#onNotAcquired()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "onNotAcquired")
	OnNotAcquired[] onNotAcquired() default {};

	/**
	 * What happens if the permit is lost while the method runs.
	 * @see DistributedLock#onLost()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "onLost")
	OnLost[] onLost() default {};

}
