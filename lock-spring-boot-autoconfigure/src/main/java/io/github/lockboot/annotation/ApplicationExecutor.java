package io.github.lockboot.annotation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * Where bodies run that were not called by a thread of the application: the executor that
 * Spring Boot gives every application, or else that of {@link CompletableFuture}.
 */
final class ApplicationExecutor implements Executor {

	private static final String BEAN = "applicationTaskExecutor";

	private final BeanFactory beanFactory;

	private volatile @Nullable Executor executor;

	ApplicationExecutor(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void execute(Runnable task) {
		Executor executor = this.executor;
		if (executor == null) {
			executor = find();
			this.executor = executor;
		}
		executor.execute(task);
	}

	private Executor find() {
		return this.beanFactory.containsBean(BEAN) ? this.beanFactory.getBean(BEAN, Executor.class)
				: new CompletableFuture<>().defaultExecutor();
	}

}
