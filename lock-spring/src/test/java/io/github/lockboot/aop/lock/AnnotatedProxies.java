package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.concurrent.Executor;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.local.LocalLockTemplate;

/**
 * Proxies with locks in memory, for tests of what is locked and for how long.
 */
final class AnnotatedProxies implements AutoCloseable {

	private final LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of());

	private final LockedProxies proxies;

	AnnotatedProxies() {
		this(NewThreadExecutor::run);
	}

	/** Lock methods, with an executor for those that return a stage. */
	AnnotatedProxies(Executor executor) {
		this.proxies = new LockedProxies(this.locks, executor);
	}

	LockOperations locks() {
		return this.locks;
	}

	boolean isHeld(String lock) {
		return this.locks.inspect(lock).isHeld();
	}

	/** Holds the lock like another node. */
	LockHandle hold(String lock) {
		return this.locks.acquire(LockRequest.of(lock));
	}

	<T> T proxy(T target, Object... innerAspects) {
		return this.proxies.proxy(target, innerAspects);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
