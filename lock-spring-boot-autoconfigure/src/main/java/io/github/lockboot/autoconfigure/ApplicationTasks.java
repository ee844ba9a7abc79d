package io.github.lockboot.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

import io.github.lockboot.Internal;

/**
 * Where code of the application runs that none of its threads has called: the executor
 * that Spring Boot gives every application, or else that of {@link CompletableFuture}.
 * What it refuses runs on the thread at hand, so that nothing is lost. Looked up at the
 * first use.
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
			executor.execute(task);
		}
		catch (RejectedExecutionException ex) {
			task.run();
		}
	}

	private Executor find() {
		return this.beanFactory.containsBean(BEAN) ? this.beanFactory.getBean(BEAN, Executor.class)
				: new CompletableFuture<>().defaultExecutor();
	}

}
