package io.github.lockboot.annotation;

import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aspectj.lang.Aspects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Tells the woven aspect, if there is one, what an application context wants: before any
 * of its beans is made, until it is closed.
 *
 * @since 1.0.0
 */
@Internal
public final class LockWeaving implements BeanFactoryPostProcessor, AutoCloseable {

	private static final boolean ASPECTJ = ClassUtils.isPresent("org.aspectj.lang.Aspects",
			LockWeaving.class.getClassLoader());

	private final Supplier<MethodInterceptor> wanted;

	private @Nullable Runnable unwire;

	LockWeaving(Supplier<MethodInterceptor> wanted) {
		this.wanted = wanted;
	}

	/**
	 * Whether there is a weaver that has woven the aspect.
	 */
	static boolean isActive() {
		return ASPECTJ && Woven.isActive();
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (isActive()) {
			this.unwire = Woven.wire(this.wanted.get());
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
