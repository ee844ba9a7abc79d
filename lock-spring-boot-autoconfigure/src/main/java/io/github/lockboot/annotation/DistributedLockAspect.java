package io.github.lockboot.annotation;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.DeclarePrecedence;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

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
		WovenCall woven = new WovenCall(call);
		for (MethodInterceptor newest : this.wired) {
			return newest.invoke(woven);
		}
		throw new InvalidLockAnnotationException(List.of(LockDeclaration.describe(woven.getMethod())
				+ " is woven, and called while there is no application context to lock it:"
				+ " call it after the context was started and before it is closed"));
	}

	/**
	 * Let a context decide from now on.
	 * @param advice what it wants done
	 */
	void wire(MethodInterceptor advice) {
		this.wired.add(0, advice);
	}

	/**
	 * Forget a context.
	 * @param advice what it wanted done
	 */
	void unwire(MethodInterceptor advice) {
		this.wired.remove(advice);
	}

	/** Locks what is woven. */
	static MethodInterceptor locking(MethodInterceptor interceptor) {
		return (call) -> {
			if (KotlinDetector.isSuspendingFunction(call.getMethod())) {
				throw new InvalidLockAnnotationException(
						List.of(LockDeclaration.describe(call.getMethod()) + " " + WovenMethodCheck.SUSPENDING));
			}
			return interceptor.invoke(call);
		};
	}

	/** Leaves the locks to proxies. */
	static MethodInterceptor passing() {
		return MethodInvocation::proceed;
	}

}
