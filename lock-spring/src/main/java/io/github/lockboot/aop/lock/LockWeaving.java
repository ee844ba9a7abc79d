package io.github.lockboot.aop.lock;

import org.aopalliance.intercept.MethodInterceptor;
import org.aspectj.lang.Aspects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;
import io.github.lockboot.annotation.DistributedLockAspect;

/**
 * Connects the woven aspect, if there is one, with an application context, from before
 * its beans are created until the context is closed.
 */
@Internal
public final class LockWeaving implements BeanFactoryPostProcessor, AutoCloseable {

	private static final boolean ASPECTJ = ClassUtils.isPresent("org.aspectj.lang.Aspects",
			LockWeaving.class.getClassLoader());

	private final MethodInterceptor advice;

	private @Nullable Runnable unwire;

	LockWeaving(MethodInterceptor advice) {
		this.advice = advice;
	}

	/** Return whether a weaver has woven the aspect. */
	static boolean isActive() {
		return ASPECTJ && Woven.isActive();
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (isActive()) {
			this.unwire = Woven.wire(this.advice);
		}
	}

	@Override
	public void close() {
		if (this.unwire != null) {
			this.unwire.run();
		}
	}

	/**
	 * Loaded only where AspectJ is present.
	 */
	private static final class Woven {

		private Woven() {
		}

		static boolean isActive() {
			return Aspects.hasAspect(DistributedLockAspect.class);
		}

		static Runnable wire(MethodInterceptor advice) {
			DistributedLockAspect aspect = Aspects.aspectOf(DistributedLockAspect.class);
			aspect.wire(advice);
			return () -> aspect.unwire(advice);
		}

	}

}
