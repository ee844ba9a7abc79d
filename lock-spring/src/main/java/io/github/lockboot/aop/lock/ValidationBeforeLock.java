package io.github.lockboot.aop.lock;

import java.util.List;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.validation.beanvalidation.MethodValidationInterceptor;

/**
 * Validates the arguments of locked methods before their lock is acquired. Spring's
 * validation is the innermost advice, so an invalid call would first wait for its lock.
 * Spring's validation remains in its place, since an invalid result must roll back the
 * transaction. This processor is not ordered, so that it runs after the ordered
 * processors. Loaded only where Jakarta Validation is present.
 */
record ValidationBeforeLock(Advice lock) implements BeanPostProcessor {

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

	/** Runs the validation up to the call. */
	private record ArgumentCheck(MethodValidationInterceptor validation) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation call) throws Throwable {
			try {
				this.validation.invoke(new CallToValidate((ProxyMethodInvocation) call));
			}
			catch (Valid ex) {
				// the call itself follows, outside of this block
			}
			return call.proceed();
		}

	}

	/** A call that ends instead of running the method. */
	private static final class CallToValidate extends ReflectiveMethodInvocation {

		CallToValidate(ProxyMethodInvocation call) {
			super(call.getProxy(), call.getThis(), call.getMethod(), call.getArguments(), null, List.of());
		}

		@Override
		public Object proceed() throws Valid {
			throw new Valid();
		}

	}

	@SuppressWarnings("serial")
	private static final class Valid extends Throwable {

		Valid() {
			super(null, null, false, false);
		}

	}

}
