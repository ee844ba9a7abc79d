package io.github.lockboot.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

import io.github.lockboot.Internal;

/**
 * Daemon threads of one name, which do not inherit the thread locals of the thread that
 * starts them. As an executor, this class runs each task on a new thread, for rare tasks
 * that block, such as connecting.
 */
@Internal
public record DaemonThreads(String name) implements ThreadFactory, Executor {

	@Override
	public Thread newThread(Runnable task) {
		Thread thread = new Thread(null, task, this.name, 0, false);
		thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void execute(Runnable task) {
		newThread(task).start();
	}

}
