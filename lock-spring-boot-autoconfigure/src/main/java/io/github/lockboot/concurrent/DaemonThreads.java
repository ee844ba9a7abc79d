package io.github.lockboot.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

import io.github.lockboot.Internal;

/**
 * Threads that keep no JVM alive. As an executor it gives each task a thread of its own:
 * for what blocks and is seldom, such as to connect.
 *
 * @param name what all of them are called
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
