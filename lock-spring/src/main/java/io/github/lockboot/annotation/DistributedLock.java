package io.github.lockboot.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.OnLost;

/**
 * Lets a method run only while it holds a lock across all instances of an application. On
 * a type, the annotation applies to every public method of the type. The annotation can
 * be a meta-annotation, whose attributes are set by {@link AliasFor @AliasFor}.
 * <p>
 * The name of the lock is {@code name:key}, or {@code name} alone without a key.
 * <strong>Methods exclude each other only if they share the name</strong>: without a
 * {@link #name()} every method has a name of its own.
 * <p>
 * The lock is acquired before a transaction of the method begins and released after the
 * transaction has ended. If the method returns a
 * {@link java.util.concurrent.CompletionStage} or a publisher, or is a suspend function,
 * the lock is held until the result is completed, and no thread waits for the lock. A
 * call that does not pass the proxy of the Spring bean, such as one from the same object,
 * is not locked, unless AspectJ weaves.
 * <p>
 * A call throws {@link LockNotAcquiredException} if the lock remains busy or too many
 * calls wait, {@link LockUnavailableException} if the store does not reply,
 * {@link LockInterruptedException}, {@link LockLostException} if {@link #onLost()}
 * requests it, and {@link LockKeyException}. In all these cases except a lost lock, the
 * method did not run.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
public @interface DistributedLock {

	/**
	 * Alias for {@link #key()}.
	 */
	@AliasFor("key")
	String value() default "";

	/**
	 * What to lock, as a SpEL expression: {@code #orderId}, {@code #p0},
	 * {@code #root.methodName}, {@code @bean.keyOf(#order)}; or as a template:
	 * <code>order:#{#id}</code>. A placeholder <code>${}</code> in this constant is
	 * resolved once. A collection or an array means several locks: all of them are
	 * acquired or none, in the same order everywhere; equal keys are one lock.
	 * <p>
	 * A key that is {@code null}, blank or an empty collection, that names an unknown
	 * variable, or whose text differs in every JVM, is an error. By default there is no
	 * key: all calls share one lock.
	 */
	@AliasFor("value")
	String key() default "";

	/**
	 * First segment of the lock's name, tag of its metrics, and its id under
	 * {@code lock.locks}. The name is a literal with few values, in which
	 * <code>${}</code> is resolved; use the {@link #key()} for what differs between
	 * calls. A colon becomes {@code %3A} in the lock's name, so that two pairs of name
	 * and key never mean the same lock. By default, the name consists of the class, the
	 * method and the parameter types at the place of the annotation.
	 */
	String name() default "";

	/**
	 * How long to wait for a busy lock, for all locks of a call together: {@code 500ms},
	 * {@code PT1S} or a placeholder. A number without a unit is an error, except
	 * {@code 0}, which means a single attempt. By default, the property
	 * {@code lock.locks.<name>.wait-time} applies, then {@code lock.wait-time}.
	 */
	String waitTime() default "";

	/**
	 * How long the lock remains after its holder has died, at least 10 ms; a running
	 * holder renews the lease. The format is that of {@link #waitTime()}. By default, the
	 * property {@code lock.locks.<name>.lease-time} applies, then
	 * {@code lock.lease-time}.
	 */
	String leaseTime() default "";

	/**
	 * Whether the lease is renewed while the method runs, independently of the
	 * {@link #leaseTime()}. By default, the property {@code lock.locks.<name>.renew}
	 * applies; without it the lease is renewed.
	 */
	Renew renew() default Renew.DEFAULT;

	/**
	 * Maximum hold time, at least 10 ms: a lock that is held longer is lost, so that a
	 * method that hangs cannot keep the lock forever. {@code 0} means no limit. The
	 * format is that of {@link #waitTime()}. By default, the property
	 * {@code lock.locks.<name>.max-hold-time} applies, then {@code lock.max-hold-time};
	 * without either there is no limit.
	 */
	String maxHoldTime() default "";

	/**
	 * Minimum hold time: if the method returns sooner, the lock remains held for the rest
	 * of this time, even if its holder dies; the caller does not wait for the rest. The
	 * format is that of {@link #waitTime()}. By default, the property
	 * {@code lock.locks.<name>.min-hold-time} applies; without it there is no minimum.
	 */
	String minHoldTime() default "";

	/**
	 * How many calls of this instance may wait for a lock at the same time; one more is
	 * refused at once, as if the lock had remained busy. {@code 0} means no limit. By
	 * default, the property {@code lock.locks.<name>.max-waiting} applies, then
	 * {@code lock.max-waiting}; without either there is no limit.
	 */
	int maxWaiting() default -1;

	/**
	 * What a call does if the lock remains busy; one value at most. This attribute cannot
	 * be combined with a {@link #fallback()}. By default, the property
	 * {@code lock.locks.<name>.on-not-acquired} applies, then
	 * {@code lock.on-not-acquired}.
	 */
	OnNotAcquired[] onNotAcquired() default {};

	/**
	 * The method to call instead if the lock remains busy, and for no other reason: the
	 * name of a method of the same object, which may be private and is not called through
	 * the proxy, or {@code bean::method}, which must be public. The fallback has the same
	 * parameters, optionally followed by a {@link LockNotAcquiredException}, and returns
	 * the same type. Only a fallback of the form {@code bean::method} may have a lock of
	 * its own. The fallback is checked when the application starts. By default, there is
	 * no fallback.
	 */
	String fallback() default "";

	/**
	 * Which calls are locked, as a SpEL expression with a boolean value: calls for which
	 * the value is false run without a lock. The expression may contain whatever a
	 * {@link #key()} may contain, except templates. An expression that fails or has
	 * another value is an error. By default, all calls are locked.
	 */
	String condition() default "";

	/**
	 * Whether the lock may have several holders: {@link LockMode#SHARED} for methods that
	 * only read what others write while they hold the same lock.
	 */
	LockMode mode() default LockMode.EXCLUSIVE;

	/**
	 * How long the lock is held: with {@link LockScope#TRANSACTION}, until the
	 * transaction in which the method runs has ended. Such a lock is acquired inside the
	 * transaction, and a call without a transaction fails. The scope supports only the
	 * name, the key, the condition, the wait time and what a call does if the lock
	 * remains busy; locks of the two scopes never exclude each other.
	 */
	LockScope scope() default LockScope.CALL;

	/**
	 * Whether callers acquire the lock strictly in the order in which they reached the
	 * store, across all instances. A fair lock is slower, because a lease is never passed
	 * on within an instance.
	 */
	boolean fair() default false;

	/**
	 * Bean name of the {@link LockOperations} that acquire the lock, if there are several
	 * such beans. Placeholders are resolved. By default, the primary bean acquires the
	 * lock.
	 */
	String template() default "";

	/**
	 * What happens if the lock is lost while the method runs; one value at most. By
	 * default, the property {@code lock.locks.<name>.on-lost} applies, then
	 * {@code lock.on-lost}.
	 */
	OnLost[] onLost() default {};

}
