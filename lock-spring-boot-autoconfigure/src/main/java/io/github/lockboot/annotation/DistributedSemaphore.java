package io.github.lockboot.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

import io.github.lockboot.OnLost;

/**
 * Lets a number of calls of a method run at the same time, over all instances of an
 * application: {@link DistributedLock} with more than one holder. A call that has a
 * permit and calls the method again needs no other.
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
	 * How many calls may run at the same time; at least 1, which is an exclusive lock.
	 * @return the number
	 */
	int permits();

	/**
	 * SpEL that says which semaphore; none for one semaphore of all calls.
	 * @return the expression
	 * @see DistributedLock#key()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "key")
	String key() default "";

	/**
	 * First part of the name of the semaphore, and its id under {@code lock.locks}.
	 * @return the name
	 * @see DistributedLock#name()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String name() default "";

	/**
	 * How long to wait for a permit.
	 * @return the wait time
	 * @see DistributedLock#waitTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "waitTime")
	String waitTime() default "";

	/**
	 * How long a permit outlives a holder that died.
	 * @return the lease time
	 * @see DistributedLock#leaseTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "leaseTime")
	String leaseTime() default "";

	/**
	 * Longest time for which a permit is held.
	 * @return the longest hold
	 * @see DistributedLock#maxHoldTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "maxHoldTime")
	String maxHoldTime() default "";

	/**
	 * Shortest time for which a permit is held.
	 * @return the shortest hold
	 * @see DistributedLock#minHoldTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "minHoldTime")
	String minHoldTime() default "";

	/**
	 * What is called instead if no permit is free.
	 * @return the method
	 * @see DistributedLock#fallback()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "fallback")
	String fallback() default "";

	/**
	 * Which calls need a permit.
	 * @return the condition
	 * @see DistributedLock#condition()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "condition")
	String condition() default "";

	/**
	 * Bean name of the {@code LockOperations} that gives the permits.
	 * @return the name
	 * @see DistributedLock#template()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "template")
	String template() default "";

	/**
	 * What the caller gets if no permit is free.
	 * @return the reaction
	 * @see DistributedLock#onNotAcquired()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "onNotAcquired")
	OnNotAcquired[] onNotAcquired() default {};

	/**
	 * What happens to a method whose permit is lost while it runs.
	 * @return the reaction
	 * @see DistributedLock#onLost()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "onLost")
	OnLost[] onLost() default {};

}
