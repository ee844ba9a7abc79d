package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.LockMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Annotated methods that share a lock, acquire a permit, or wait in strict order.
 */
@Timeout(90)
class LockKindsTests {

	private final AnnotatedProxies proxies = new AnnotatedProxies();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Report report = this.proxies.proxy(new Report());

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.proxies.close();
	}

	@Test
	void exclusiveMethodWaitsForASharedHolder() throws Exception {
		this.report.read(() -> inAnotherThread(() -> {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.report.write(() -> "never"));
			return this.report.read(() -> "read");
		}));
	}

	@Test
	void methodMayShareALockThatItsCallerHoldsExclusively() throws Exception {
		assertThat(this.report.write(() -> this.report.read(() -> "read"))).isEqualTo("read");
	}

	@Test
	void methodCannotAcquireALockExclusivelyThatItsCallerShares() throws Exception {
		this.report.read(() -> {
			assertThatIllegalStateException().isThrownBy(() -> this.report.write(() -> "never"))
				.withMessageContaining("can't be upgraded");
			return "refused";
		});
	}

	@Test
	void semaphoreAdmitsAsManyCallsAsItHasPermits() throws Exception {
		LockRequest permit = LockRequest.of("printers:1").permits(2);
		LockHandle first = this.proxies.locks().acquire(permit);
		try (LockHandle second = this.proxies.locks().acquire(permit)) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.report.print("1", () -> "never"));
			first.close();
			assertThat(this.report.print("1", () -> "printed")).isEqualTo("printed");
			assertThat(second.isHeld()).isTrue();
		}
	}

	@Test
	void fairMethodIsServedInTheOrderOfArrival() throws Exception {
		List<Integer> served = Collections.synchronizedList(new ArrayList<>());
		List<Future<?>> waiting = new ArrayList<>();
		LockHandle held = this.proxies.hold("queue");
		for (int i = 0; i < 5; i++) {
			int number = i;
			waiting.add(this.threads.submit(() -> this.report.queue(() -> served.add(number))));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> this.proxies.locks().inspect("queue").waiting() == number + 1);
		}
		held.close();
		for (Future<?> each : waiting) {
			each.get();
		}
		assertThat(served).containsExactly(0, 1, 2, 3, 4);
	}

	private <T> T inAnotherThread(Callable<T> task) throws Exception {
		return this.threads.submit(task).get(60, TimeUnit.SECONDS);
	}

	static class Report {

		@DistributedLock(name = "report", mode = LockMode.SHARED, waitTime = "0")
		public <T> T read(Callable<T> body) throws Exception {
			return body.call();
		}

		@DistributedLock(name = "report", waitTime = "0")
		public <T> T write(Callable<T> body) throws Exception {
			return body.call();
		}

		@DistributedSemaphore(name = "printers", key = "#printer", permits = "2", waitTime = "0")
		public <T> T print(String printer, Callable<T> body) throws Exception {
			return body.call();
		}

		@DistributedLock(name = "queue", fair = true, waitTime = "60s")
		public <T> T queue(Callable<T> body) throws Exception {
			return body.call();
		}

	}

}
