package io.github.lockboot.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a method run only on the instance that leads a role. Calls on other instances are
 * skipped: they return the empty value of the result type, such as an empty
 * {@code Optional} or list or a completed future, and otherwise {@code null}. A method
 * with a primitive result makes the startup fail.
 * <p>
 * Whether the instance leads is decided when the call begins, and for a publisher at each
 * subscription. The annotation neither ends a call whose instance loses its leadership
 * meanwhile, nor applies to calls that do not pass the proxy of the Spring bean, such as
 * one from the same object.
 * <p>
 * By default the advice is outside of locks, caches and transactions, so that a skipped
 * call has none of them.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface LeaderOnly {

	/**
	 * The role, in which <code>${}</code> is resolved: one of {@code lock.leader.roles},
	 * or that of a {@code LeaderElection} bean.
	 */
	String value();

}
