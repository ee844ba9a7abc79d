package io.github.lockboot.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

import io.github.lockboot.Internal;

/**
 * Runs code of the application that is not called by one of its own threads. Uses Spring
 * Boot's {@code applicationTaskExecutor}, looked up at the first use, or else the
 * executor of {@link CompletableFuture}. A task that the executor rejects runs on the
 * calling thread, and one that still waits when the executor shuts down on the thread
 * that does so: none is lost.
 */
@Internal
public final class ApplicationTasks implements Executor {

	private static final String BEAN = "applicationTaskExecutor";

	private final BeanFactory beanFactory;

	private volatile @Nullable Executor executor;

	public ApplicationTasks(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void execute(Runnable task) {
		Executor executor = this.executor;
		if (executor == null) {
			executor = find();
			this.executor = executor;
		}
		try {
			executor.execute(new Task(task));
		}
		catch (RejectedExecutionException ex) {
			task.run();
		}
	}

	private Executor find() {
		return this.beanFactory.containsBean(BEAN) ? this.beanFactory.getBean(BEAN, Executor.class)
				: new CompletableFuture<>().defaultExecutor();
	}

	/** Spring's executors cancel the tasks that wait when they shut down. */
	private static final class Task extends CompletableFuture<Void> implements Runnable {

		private final Runnable task;

		private Task(Runnable task) {
			this.task = task;
		}

		@Override
		@SuppressWarnings("NullAway") // Void is nullable by nature
		public void run() {
			if (complete(null)) {
				this.task.run();
			}
		}

		@Override
		public boolean cancel(boolean interrupt) {
			run();
			return false;
		}

	}

}
