package io.github.lockboot.annotation;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.DeclarePrecedence;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Locks annotated methods where AspectJ weaves: also calls within one object, and objects
 * that the container did not make. Woven by the {@code META-INF/aop.xml} of this library.
 * It does what the newest application context in its class loader says: locks, or, where
 * proxies do, nothing. As long as there is none, every call fails.
 * <p>
 * Not to be made by anybody but AspectJ.
 *
 * @since 1.0.0
 */
@Aspect
@DeclarePrecedence("org.springframework.scheduling.aspectj.*, io.github.lockboot.annotation.DistributedLockAspect, *")
public class DistributedLockAspect {

	/** The newest is the first. */
	private final List<MethodInterceptor> wired = new CopyOnWriteArrayList<>();

	DistributedLockAspect() {
	}

	/**
	 * Run a woven method.
	 * @param call the call
	 * @return its result
	 * @throws Throwable what it throws
	 * @throws InvalidLockAnnotationException if no application context is there to lock
	 * it
	 */
	@Around("execution(@io.github.lockboot.annotation.DistributedLock * *(..))"
			+ " || execution(@(@io.github.lockboot.annotation.DistributedLock *) * *(..))"
			+ " || (execution(public !static * (@io.github.lockboot.annotation.DistributedLock *).*(..))"
			+ " && !execution(* java.lang.Object.*(..)))"
			+ " || (execution(public !static * (@(@io.github.lockboot.annotation.DistributedLock *) *).*(..))"
			+ " && !execution(* java.lang.Object.*(..)))")
	public @Nullable Object lock(ProceedingJoinPoint call) throws Throwable {
		for (MethodInterceptor newest : this.wired) {
			return newest.invoke(new JoinPointInvocation(call));
		}
		throw new InvalidLockAnnotationException(
				List.of(call.getSignature() + " is woven, and called while there is no application context to lock it:"
						+ " call it after the context was started and before it is closed"));
	}

	/**
	 * Let a context decide from now on.
	 * @param advice what it does with a call
	 */
	@Internal
	public void wire(MethodInterceptor advice) {
		this.wired.add(0, advice);
	}

	/**
	 * Forget a context.
	 * @param advice what it did with a call
	 */
	@Internal
	public void unwire(MethodInterceptor advice) {
		this.wired.remove(advice);
	}

	/**
	 * A woven call as advice of Spring sees it.
	 */
	private record JoinPointInvocation(ProceedingJoinPoint call) implements MethodInvocation {

		@Override
		public @Nullable Object proceed() throws Throwable {
			return this.call.proceed();
		}

		@Override
		public Method getMethod() {
			return ((MethodSignature) this.call.getSignature()).getMethod();
		}

		@Override
		public @Nullable Object[] getArguments() {
			return this.call.getArgs();
		}

		@Override
		public @Nullable Object getThis() {
			return this.call.getTarget();
		}

		@Override
		public AccessibleObject getStaticPart() {
			return getMethod();
		}

	}

}
