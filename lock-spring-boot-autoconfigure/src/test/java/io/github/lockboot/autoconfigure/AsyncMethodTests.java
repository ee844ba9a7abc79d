package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.lockboot.LockOperations;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Asynchronous methods and reactive operations in an application, and the threads of
 * their tasks.
 */
@Timeout(60)
class AsyncMethodTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final ApplicationContextRunner runner = LockRunners
		.local(AopAutoConfiguration.class, TaskExecutionAutoConfiguration.class, ReactiveLockAutoConfiguration.class)
		.withUserConfiguration(Application.class);

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final ApplicationTasks tasks = new ApplicationTasks(this.beans);

	@Test
	void lockOfAnAsyncMethodIsAcquiredInItsPoolAndHeldUntilItsFutureIsDone() {
		this.runner.withBean(Orders.class).run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			CompletableFuture<String> work = new CompletableFuture<>();
			CompletableFuture<String> paid = context.getBean(Orders.class).pay(work);
			await().until(() -> locks.inspect("orders").isHeld());
			assertThat(paid).isNotDone();
			work.complete("paid");
			assertThat(paid).succeedsWithin(LONG).isEqualTo("paid");
			assertThat(locks.inspect("orders").isHeld()).isFalse();
		});
	}

	@Test
	void plainFutureOfAnAsyncMethodIsLocked() {
		this.runner.withBean(Orders.class)
			.run((context) -> assertThat(context.getBean(Orders.class).isHeld(context.getBean(LockOperations.class)))
				.succeedsWithin(LONG)
				.isEqualTo(true));
	}

	@Test
	void aspectInsideTheLockSeesItsCallInAnotherThread() {
		this.runner.withBean(Orders.class).withBean(Recorder.class).run((context) -> {
			CompletableFuture<String> paid = context.getBean(Orders.class)
				.payLater(CompletableFuture.completedFuture("paid"));
			assertThat(paid).succeedsWithin(LONG).isEqualTo("paid");
			assertThat(context.getBean(Recorder.class).calls).containsExactly("payLater");
		});
	}

	@Test
	void reactiveOperationsUseTheSameLocks() {
		this.runner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			Mono<Boolean> held = context.getBean(ReactiveLockOperations.class)
				.execute("orders", Mono.fromCallable(() -> locks.inspect("orders").isHeld()));
			assertThat(held.block(LONG)).isTrue();
		});
	}

	@Test
	void applicationStartsWithoutReactor() {
		this.runner.withClassLoader(new FilteredClassLoader(Flux.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ReactiveLockAutoConfiguration.class)
				.hasSingleBean(LockOperations.class));
	}

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
		applicationRuns(AsyncMethodTests::refuse);
		assertThat(threadOfATask()).isCompletedWithValue(Thread.currentThread().getName());
	}

	@Test
	void aLockedMethodThatTheExecutorRejectsRunsAndReleasesItsLock() {
		LockRunners.local()
			.withBean("applicationTaskExecutor", Executor.class, () -> AsyncMethodTests::refuse)
			.withBean(Orders.class)
			.run((context) -> {
				assertThat(context.getBean(Orders.class).payLater(CompletableFuture.completedFuture("paid")))
					.succeedsWithin(LONG)
					.isEqualTo("paid");
				assertThat(context.getBean(LockOperations.class).inspect("orders").isHeld()).isFalse();
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

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Application {

	}

	static class Orders {

		@Async
		@DistributedLock(name = "orders")
		public CompletableFuture<String> pay(CompletableFuture<String> work) {
			return work;
		}

		@DistributedLock(name = "orders")
		public CompletableFuture<String> payLater(CompletableFuture<String> work) {
			return work;
		}

		@Async
		@DistributedLock(name = "orders")
		public Future<Boolean> isHeld(LockOperations locks) {
			return CompletableFuture.completedFuture(locks.inspect("orders").isHeld());
		}

	}

	@Aspect
	static class Recorder {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		@Before("execution(* payLater(..))")
		void record(JoinPoint call) {
			this.calls.add(call.getSignature().getName());
		}

	}

}
