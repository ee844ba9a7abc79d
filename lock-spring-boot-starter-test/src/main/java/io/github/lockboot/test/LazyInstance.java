package io.github.lockboot.test;

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;

/**
 * Another instance that uses the locks of an application. The instance is created at its
 * first use, because it may have to connect. Thread-safe.
 */
final class LazyInstance implements AutoCloseable {

	private final LockOperations application;

	private final ReentrantLock mutex = new ReentrantLock();

	private @Nullable LockTemplate instance;

	LazyInstance(LockOperations application) {
		this.application = application;
	}

	/**
	 * Return the instance.
	 * @return a separate template, or the application's template if it is not a template
	 * of this library; its {@code acquire} is not re-entrant either
	 */
	LockOperations get() {
		Object template = target();
		return (template instanceof LockTemplate ours) ? another(ours) : this.application;
	}

	private LockTemplate another(LockTemplate template) {
		this.mutex.lock();
		try {
			LockTemplate instance = this.instance;
			if (instance == null) {
				instance = LockLifecycle.anotherInstance(template);
				this.instance = instance;
			}
			return instance;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private Object target() {
		Object target = AopProxyUtils.getSingletonTarget(this.application);
		return (target != null) ? target : this.application;
	}

	@Override
	public void close() {
		this.mutex.lock();
		try {
			if (this.instance != null) {
				this.instance.close();
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

}
