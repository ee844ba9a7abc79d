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
 * Locks annotated methods if AspectJ weaves, including calls within one object and calls
 * to objects that the container did not create. The {@code META-INF/aop.xml} of this
 * library declares the aspect. The newest application context in the class loader of the
 * aspect decides whether the aspect locks or, if proxies lock, does nothing. Without an
 * application context, every call fails.
 * <p>
 * Only AspectJ creates this class.
 *
 * @since 1.0.0
 */
@Aspect
@DeclarePrecedence("org.springframework.scheduling.aspectj.*, io.github.lockboot.annotation.DistributedLockAspect, *")
public class DistributedLockAspect {

	/** Advice of the application contexts, the newest first. */
	private final List<MethodInterceptor> wired = new CopyOnWriteArrayList<>();

	DistributedLockAspect() {
	}

	/**
	 * Run a woven method.
	 * @param call the call
	 * @return the result of the call
	 * @throws Throwable what the call throws
	 * @throws InvalidLockAnnotationException if there is no application context
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
				List.of(call.getSignature() + " is woven but was called without an application context that locks it:"
						+ " call the method only after the context has started and before the context is closed"));
	}

	/** Let the advice of an application context handle calls from now on. */
	@Internal
	public void wire(MethodInterceptor advice) {
		this.wired.add(0, advice);
	}

	/** Remove the advice of an application context. */
	@Internal
	public void unwire(MethodInterceptor advice) {
		this.wired.remove(advice);
	}

	/**
	 * A woven call in the form that Spring's advice expects.
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
