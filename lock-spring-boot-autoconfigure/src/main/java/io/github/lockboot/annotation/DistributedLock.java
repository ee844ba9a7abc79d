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
 * A method that runs only while it holds a lock, across all instances of an application.
 * On a type it stands for every public method of it. It may be put on another annotation,
 * whose attributes reach it by {@link AliasFor @AliasFor}.
 * <p>
 * The name of the lock is {@code name:key}, or {@code name} alone where there is no key.
 * <strong>Methods exclude each other only if they share the name</strong>: without a
 * {@link #name()} every method has one of its own.
 * <p>
 * The lock is taken before a transaction of the method begins and given back after it has
 * ended; or until the result has ended, if that is a
 * {@link java.util.concurrent.CompletionStage}, a publisher or that of a suspend
 * function, whose calls wait for their lock without a thread. A call that does not go
 * through the Spring bean, such as one from the same object, is not locked, unless
 * AspectJ weaves.
 * <p>
 * A caller sees {@link LockNotAcquiredException} if the lock stays busy,
 * {@link LockUnavailableException} if the store does not answer,
 * {@link LockInterruptedException}, {@link LockLostException} if {@link #onLost()} asks
 * for it, and {@link LockKeyException}. In all cases but a lost lock the method did not
 * run.
 *
 * @since 1.0.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
public @interface DistributedLock {

	/**
	 * Alias for {@link #key()}.
	 * @return the key
	 */
	@AliasFor("key")
	String value() default "";

	/**
	 * What is locked, as SpEL: {@code #orderId}, {@code #p0}, {@code #root.methodName},
	 * {@code @bean.keyOf(#order)}; or a template: <code>order:#{#id}</code>. A
	 * placeholder <code>${}</code> is resolved once, in this constant. A collection or an
	 * array means several locks, taken in one order that is the same everywhere, all or
	 * none; equal keys are one lock.
	 * <p>
	 * A key that is {@code null}, blank or an empty collection, that names an unknown
	 * variable, or whose text differs in every JVM, is an error. By default there is no
	 * key: all calls share one lock.
	 * @return the key
	 */
	@AliasFor("value")
	String key() default "";

	/**
	 * First segment of the lock's name, tag of its metrics, and its id under
	 * {@code lock.locks}. A literal of few values, in which <code>${}</code> is resolved;
	 * what differs from call to call belongs into the {@link #key()}. A colon in it
	 * becomes {@code %3A} in the lock's name, so that no two pairs of name and key give
	 * the same lock. By default class and method with the types of its parameters, where
	 * the annotation stands.
	 * @return the name
	 */
	String name() default "";

	/**
	 * How long to wait for a busy lock, for all locks of a call together: {@code 500ms},
	 * {@code PT1S} or a placeholder. A bare number is in milliseconds; {@code 0} tries
	 * once. By default the property {@code lock.locks.<name>.wait-time}, then
	 * {@code lock.wait-time}.
	 * @return the wait time
	 */
	String waitTime() default "";

	/**
	 * How long the lock outlives its dead holder, at least 10 ms; a holder that lives
	 * renews it. Written as {@link #waitTime()}. By default the property
	 * {@code lock.locks.<name>.lease-time}, then {@code lock.lease-time}.
	 * @return the lease time
	 */
	String leaseTime() default "";

	/**
	 * Whether the lease is renewed while the method runs. A {@link #leaseTime()} says
	 * nothing of this. By default the property {@code lock.locks.<name>.renew}, then on.
	 * @return whether the lease is renewed
	 */
	Renew renew() default Renew.DEFAULT;

	/**
	 * Longest hold, at least 10 ms: a lock that is held longer is lost, so that a method
	 * that hangs can't keep it for ever. {@code 0} for no limit. Written as
	 * {@link #waitTime()}. By default the property
	 * {@code lock.locks.<name>.max-hold-time}, then {@code lock.max-hold-time}, then no
	 * limit.
	 * @return the longest hold
	 */
	String maxHoldTime() default "";

	/**
	 * Shortest hold: if the method returns sooner, the lock stays taken for the rest of
	 * this time, even if its holder dies; the caller does not wait for that. Written as
	 * {@link #waitTime()}. By default the property
	 * {@code lock.locks.<name>.min-hold-time}, then none.
	 * @return the shortest hold
	 */
	String minHoldTime() default "";

	/**
	 * What the caller gets if the lock stays busy; one value at most. Not together with a
	 * {@link #fallback()}. By default the property
	 * {@code lock.locks.<name>.on-not-acquired}, then {@code lock.on-not-acquired}.
	 * @return what the caller gets
	 */
	OnNotAcquired[] onNotAcquired() default {};

	/**
	 * What is called in the method's stead if the lock stays busy, and for no other
	 * reason: the name of a method of the same object, which may be private and is not
	 * called through the proxy, or {@code bean::method}, public. It takes the same
	 * arguments and, if it likes, a {@link LockNotAcquiredException} behind them, and
	 * returns the same type. It may be locked itself only if it is named by its bean.
	 * Looked for when the application starts. By default there is none.
	 * @return the fallback
	 */
	String fallback() default "";

	/**
	 * Which calls are locked, as SpEL that gives true or false: others run without a
	 * lock. Everything a {@link #key()} can use but a template. An expression that fails
	 * or gives neither is an error. By default all calls are locked.
	 * @return the condition
	 */
	String condition() default "";

	/**
	 * Whether others may have the lock at the same time: {@link LockMode#SHARED} for
	 * methods that only read what others write under the same lock.
	 * @return the mode
	 */
	LockMode mode() default LockMode.EXCLUSIVE;

	/**
	 * Whether callers get the lock strictly in the order in which they reached the store,
	 * over all instances. Slower, because no hold is passed on within an instance.
	 * @return whether the order is kept
	 */
	boolean fair() default false;

	/**
	 * Bean name of the {@link LockOperations} that takes the lock, where an application
	 * has several. Placeholders are resolved. By default the primary one.
	 * @return the bean name
	 */
	String template() default "";

	/**
	 * What happens to the method if its lock is lost while it runs; one value at most. By
	 * default the property {@code lock.locks.<name>.on-lost}, then {@code lock.on-lost}.
	 * @return what happens
	 */
	OnLost[] onLost() default {};

}
