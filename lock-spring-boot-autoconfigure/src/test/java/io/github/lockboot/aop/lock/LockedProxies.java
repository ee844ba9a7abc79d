package io.github.lockboot.aop.lock;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;

import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.OnNotAcquired;

/**
 * Locks methods without an application context.
 */
final class LockedProxies {

	static final LockedMethodDefaults DEFAULTS = new LockedMethodDefaults(LockDefaults.defaults(), false, true, null,
			null, OnNotAcquired.THROW);

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final StandardEnvironment environment = new StandardEnvironment();

	private final Map<String, LockedMethodDefaults> defaults = new HashMap<>();

	private final Executor executor;

	LockedProxies(LockOperations locks) {
		this(locks, Runnable::run);
	}

	LockedProxies(LockOperations locks, Executor executor) {
		this.executor = executor;
		bean("locks", locks);
	}

	LockedProxies bean(String name, Object bean) {
		this.beans.registerSingleton(name, bean);
		return this;
	}

	LockedProxies defaults(String name, LockedMethodDefaults defaults) {
		this.defaults.put(name, defaults);
		return this;
	}

	@SuppressWarnings("unchecked")
	<T> T proxy(T target, Object... innerAspects) {
		AspectJProxyFactory factory = new AspectJProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvisor(new LockAnnotations(this.beans, this.environment::resolveRequiredPlaceholders,
				(name) -> this.defaults.getOrDefault(name, DEFAULTS), 0, true, this.executor)
			.advisor());
		for (Object aspect : innerAspects) {
			factory.addAspect(aspect);
		}
		return (T) factory.getProxy();
	}

}
