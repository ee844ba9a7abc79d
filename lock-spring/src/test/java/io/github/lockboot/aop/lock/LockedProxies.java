package io.github.lockboot.aop.lock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.test.util.ReflectionTestUtils;

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

	private final List<LockAnnotations> annotations = new ArrayList<>();

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

	/** Return whether no run waits for its lock. */
	boolean isIdle() {
		return this.annotations.stream()
			.map((each) -> ReflectionTestUtils.getField(each.reruns(), "waiting"))
			.allMatch(Map.of()::equals);
	}

	/** Check the annotated methods, as the start of an application does. */
	List<String> problems() {
		return this.annotations.stream().flatMap((each) -> each.report().problems().stream()).toList();
	}

	void close() {
		this.annotations.forEach(LockAnnotations::close);
	}

	@SuppressWarnings("unchecked")
	<T> T proxy(T target, Object... innerAspects) {
		AspectJProxyFactory factory = new AspectJProxyFactory(target);
		factory.setProxyTargetClass(true);
		LockAnnotations annotations = new LockAnnotations(this.beans, this.environment::resolveRequiredPlaceholders,
				(name) -> this.defaults.getOrDefault(name, DEFAULTS), 0, true, this.executor);
		factory.addAdvisor(annotations.advisor());
		this.annotations.add(annotations);
		for (Object aspect : innerAspects) {
			factory.addAspect(aspect);
		}
		return (T) factory.getProxy();
	}

}
