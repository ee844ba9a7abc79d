package io.github.lockboot.aop.lock;

import java.util.HashMap;
import java.util.Map;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockOperations;

/**
 * Locks methods without an application context.
 */
final class LockedProxies {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final StandardEnvironment environment = new StandardEnvironment();

	private final Map<String, LockedMethodDefaults> defaults = new HashMap<>();

	/**
	 * Lock methods.
	 * @param locks with what
	 */
	LockedProxies(LockOperations locks) {
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
	<T> T proxy(T target) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvisor(new LockAnnotations(this.beans, this.environment::resolveRequiredPlaceholders,
				(name) -> this.defaults.getOrDefault(name, LockedMethodDefaults.of(LockDefaults.defaults())), 0, true,
				Runnable::run)
			.advisor());
		return (T) factory.getProxy();
	}

}
