package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.concurrent.Executor;

import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.OwnThread;
import io.github.lockboot.local.LocalLockTemplate;

/**
 * Proxies that lock in memory, for tests of what is locked for how long.
 */
final class AnnotatedProxies implements AutoCloseable {

	private final LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of());

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final Executor executor;

	AnnotatedProxies() {
		this(OwnThread::run);
	}

	/**
	 * Lock methods.
	 * @param executor where those run that return a stage
	 */
	AnnotatedProxies(Executor executor) {
		this.executor = executor;
		this.beans.registerSingleton("locks", this.locks);
	}

	LockOperations locks() {
		return this.locks;
	}

	DefaultListableBeanFactory beans() {
		return this.beans;
	}

	boolean isHeld(String lock) {
		return this.locks.inspect(lock).isHeld();
	}

	/** As another node would hold it. */
	LockHandle hold(String lock) {
		return this.locks.acquire(LockRequest.of(lock));
	}

	@SuppressWarnings("unchecked")
	<T> T proxy(T target, Object... innerAspects) {
		AspectJProxyFactory factory = new AspectJProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvisor(annotations().advisor());
		for (Object aspect : innerAspects) {
			factory.addAspect(aspect);
		}
		return (T) factory.getProxy();
	}

	LockAnnotations annotations() {
		return new LockAnnotations(this.beans, new StandardEnvironment()::resolveRequiredPlaceholders,
				(name) -> LockedMethodDefaults.of(LockDefaults.defaults()), 0, true, this.executor);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
