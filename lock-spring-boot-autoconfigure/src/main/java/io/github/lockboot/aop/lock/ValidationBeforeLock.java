package io.github.lockboot.aop.lock;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.validation.beanvalidation.MethodValidationInterceptor;

import io.github.lockboot.aop.ForwardingCall;

/**
 * Validates the arguments of locked methods before their lock is taken. The validation of
 * Spring is the innermost advice, so that an invalid call would wait for its lock first.
 * It stays where it is, since a result that it refuses rolls back the transaction. Not
 * ordered, so that it runs after the processors that are. Loaded only where Jakarta
 * Validation is present.
 */
final class ValidationBeforeLock implements BeanPostProcessor {

	private final Advice lock;

	ValidationBeforeLock(Advice lock) {
		this.lock = lock;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised advised && !advised.isFrozen()) {
			validateFirst(advised);
		}
		return bean;
	}

	private void validateFirst(Advised advised) {
		Advisor[] advisors = advised.getAdvisors();
		int position = position(advisors);
		for (int i = position + 1; position >= 0 && i < advisors.length; i++) {
			if (advisors[i] instanceof PointcutAdvisor advisor
					&& advisor.getAdvice() instanceof MethodValidationInterceptor validation) {
				ComposablePointcut both = new ComposablePointcut(((PointcutAdvisor) advisors[position]).getPointcut())
					.intersection(advisor.getPointcut());
				advised.addAdvisor(position, new DefaultPointcutAdvisor(both, new ArgumentCheck(validation)));
				return;
			}
		}
	}

	private int position(Advisor[] advisors) {
		for (int i = 0; i < advisors.length; i++) {
			if (advisors[i].getAdvice() == this.lock) {
				return i;
			}
		}
		return -1;
	}

	/** Runs the validation as far as the call, which ends it. */
	private record ArgumentCheck(MethodValidationInterceptor validation) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation call) throws Throwable {
			try {
				this.validation.invoke(new ForwardingCall(call) {
					@Override
					public Object proceed() throws Valid {
						throw new Valid();
					}
				});
			}
			catch (Valid ex) {
				// the call itself follows, outside of this block
			}
			return call.proceed();
		}

	}

	@SuppressWarnings("serial")
	private static final class Valid extends Throwable {

		Valid() {
			super(null, null, false, false);
		}

	}

}
