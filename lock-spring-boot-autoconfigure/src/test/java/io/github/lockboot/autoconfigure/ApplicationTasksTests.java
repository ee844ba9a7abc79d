package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.local.LocalLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class ApplicationTasksTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final ApplicationTasks tasks = new ApplicationTasks(this.beans);

	@Test
	void theExecutorOfTheApplicationRunsTasks() {
		applicationRuns((task) -> new Thread(task, "application-1").start());
		assertThat(threadOfATask()).succeedsWithin(LONG).isEqualTo("application-1");
	}

	@Test
	void withoutAnExecutorOfTheApplicationTasksStillRun() {
		assertThat(threadOfATask()).succeedsWithin(LONG).isNotEqualTo(Thread.currentThread().getName());
	}

	@Test
	void aRejectedTaskRunsOnTheCallingThread() {
		applicationRuns(ApplicationTasksTests::refuse);
		assertThat(threadOfATask()).isCompletedWithValue(Thread.currentThread().getName());
	}

	@Test
	void aLockedMethodThatTheExecutorRejectsRunsAndReleasesItsLock() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
			.withBean(LocalLockTemplate.class, () -> new LocalLockTemplate(LockDefaults.defaults(), List.of()))
			.withBean("applicationTaskExecutor", Executor.class, () -> ApplicationTasksTests::refuse)
			.withBean(Orders.class)
			.run((context) -> {
				assertThat(context.getBean(Orders.class).pay("42")).succeedsWithin(LONG).isEqualTo("paid 42");
				assertThat(context.getBean(LocalLockTemplate.class).inspect("orders:42").isHeld()).isFalse();
			});
	}

	@Test
	void aTaskThatStillWaitsWhenTheExecutorShutsDownRuns() {
		ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
		executor.setCorePoolSize(1);
		executor.initialize();
		// until interrupted
		executor.execute(() -> LockSupport.parkNanos(LONG.toNanos()));
		applicationRuns(executor);
		CompletableFuture<String> waiting = threadOfATask();
		executor.shutdown();
		assertThat(waiting).isCompletedWithValue(Thread.currentThread().getName());
	}

	private void applicationRuns(Executor executor) {
		this.beans.registerSingleton("applicationTaskExecutor", executor);
	}

	private CompletableFuture<String> threadOfATask() {
		return CompletableFuture.supplyAsync(() -> Thread.currentThread().getName(), this.tasks);
	}

	private static void refuse(Runnable task) {
		throw new RejectedExecutionException("closed");
	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#id")
		public CompletableFuture<String> pay(String id) {
			return CompletableFuture.completedFuture("paid " + id);
		}

	}

}
