package io.github.lockboot.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

import io.github.lockboot.Internal;

/**
 * Runs code of the application that no thread of the application calls. The tasks run on
 * Spring Boot's {@code applicationTaskExecutor}, which is looked up at the first use, or
 * otherwise on the executor of {@link CompletableFuture}. No task is lost: a rejected
 * task runs on the calling thread, and a task that still waits when the executor shuts
 * down runs on the thread that shuts it down.
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

	/**
	 * A task that also runs when it is cancelled, because Spring's executors cancel
	 * waiting tasks when they shut down.
	 */
	private static final class Task extends CompletableFuture<Void> implements Runnable {

		private final Runnable task;

		private Task(Runnable task) {
			this.task = task;
		}

		@Override
		@SuppressWarnings("NullAway") // a Void is always null
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
