package io.github.lockboot.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

import io.github.lockboot.Internal;

/**
 * Daemon threads of one name. As an executor it runs each task on a new thread: for rare
 * tasks that block, such as to connect.
 *
 * @since 1.0.0
 */
@Internal
public record DaemonThreads(String name) implements ThreadFactory, Executor {

	@Override
	public Thread newThread(Runnable task) {
		Thread thread = new Thread(task, this.name);
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void execute(Runnable task) {
		newThread(task).start();
	}

}
