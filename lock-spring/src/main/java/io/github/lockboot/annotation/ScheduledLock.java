package io.github.lockboot.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * {@link DistributedLock} for a job that every instance of an application starts at the
 * same times but that must run once. Use this annotation together with Spring's
 * {@code @Scheduled}. The first instance runs the job; the others skip it without
 * waiting.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@DistributedLock(waitTime = "0", onNotAcquired = OnNotAcquired.SKIP)
public @interface ScheduledLock {

	/**
	 * Name of the job and of its lock.
	 * @see DistributedLock#name()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String name();

	/**
	 * Minimum hold time: longer than the clocks of the instances differ, so that no
	 * instance starts the job after the job has already ended elsewhere, and shorter than
	 * the time between two runs.
	 * @see DistributedLock#minHoldTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "minHoldTime")
	String minHoldTime();

	/**
	 * Maximum hold time: a run that hangs does not block other instances for longer than
	 * this time.
	 * @see DistributedLock#maxHoldTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "maxHoldTime")
	String maxHoldTime() default "";

	/**
	 * How long the lock remains after an instance has died during a run.
	 * @see DistributedLock#leaseTime()
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "leaseTime")
	String leaseTime() default "";

}
