package io.github.lockboot.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(30)
class FutureWaitTests {

	private final CompletableFuture<String> future = new CompletableFuture<>();

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	@Test
	void aWorkerThatWaitsRunsNoOtherTask() throws Exception {
		ForkJoinPool pool = new ForkJoinPool(1);
		AtomicReference<Thread> other = new AtomicReference<>();
		AtomicReference<Thread> waiting = new AtomicReference<>();
		try {
			pool.submit(new RecursiveAction() {

				@Override
				protected void compute() {
					waiting.set(Thread.currentThread());
					CompletableFuture.runAsync(() -> {
						other.set(Thread.currentThread());
						FutureWaitTests.this.future.complete("done");
					}, pool);
					FutureWait.join(FutureWaitTests.this.future);
				}

			}).get(20, TimeUnit.SECONDS);
		}
		finally {
			pool.shutdownNow();
		}
		assertThat(other.get()).isNotNull().isNotEqualTo(waiting.get());
	}

	@Test
	void aWorkerThatCannotBeReplacedWaitsAllTheSame() throws Exception {
		ForkJoinPool pool = new ForkJoinPool(1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, false, 1, 1, 1,
				null, 1, TimeUnit.MINUTES);
		CountDownLatch begun = new CountDownLatch(1);
		try {
			CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> {
				begun.countDown();
				return FutureWait.join(this.future);
			}, pool);
			begun.await();
			this.future.complete("done");
			assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
		}
		finally {
			pool.shutdownNow();
		}
	}

	@Test
	void anInterruptEndsAWait() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> FutureWait.get(this.future));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void anInterruptDoesNotEndAJoin() throws Exception {
		Thread.currentThread().interrupt();
		CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> this.future.complete("done"));
		assertThat(FutureWait.join(this.future)).isEqualTo("done");
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	@Test
	void failuresAreThoseOfTheFuture() {
		this.future.completeExceptionally(new IllegalStateException("broken"));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> FutureWait.get(this.future))
			.withMessageContaining("broken");
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> FutureWait.join(this.future))
			.withMessageContaining("broken");
	}

}
