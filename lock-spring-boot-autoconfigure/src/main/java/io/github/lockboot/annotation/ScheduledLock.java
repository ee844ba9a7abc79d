package io.github.lockboot.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * {@link DistributedLock} for a job that every instance of an application starts at the
 * same times, and that shall run once: put beside Spring's {@code @Scheduled}. The first
 * instance runs the job; the others skip it without waiting.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@DistributedLock(waitTime = "0", onNotAcquired = OnNotAcquired.SKIP)
public @interface ScheduledLock {

	/**
	 * Name of the job, and of its lock.
	 * @return the name
	 * @see DistributedLock#name()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String name();

	/**
	 * How long the lock stays taken at least: longer than the clocks of the instances
	 * differ, so that none of them starts the job when it has ended elsewhere already;
	 * and shorter than the time between two runs.
	 * @return the shortest hold
	 * @see DistributedLock#minHoldTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "minHoldTime")
	String minHoldTime();

	/**
	 * Longest hold: a run that hangs keeps others from starting no longer than this.
	 * @return the longest hold
	 * @see DistributedLock#maxHoldTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "maxHoldTime")
	String maxHoldTime() default "";

	/**
	 * How long the lock outlives an instance that dies in the middle of a run.
	 * @return the lease time
	 * @see DistributedLock#leaseTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "leaseTime")
	String leaseTime() default "";

}
