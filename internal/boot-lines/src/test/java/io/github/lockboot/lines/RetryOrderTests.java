package io.github.lockboot.lines;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The retries of spring-retry, which Spring Boot 3.5 manages, are inside of a lock by
 * default.
 */
@ExtendWith(OutputCaptureExtension.class)
class RetryOrderTests {

	private final AtomicInteger acquired = new AtomicInteger();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class))
		.withPropertyValues("lock.backend=local")
		.withBean(LockListener.class, () -> new LockListener() {
			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
				RetryOrderTests.this.acquired.incrementAndGet();
			}
		})
		.withBean(Job.class);

	@Test
	void retriesInsideOfTheLockAreReportedWithTheSettingThatMovesThem(CapturedOutput output) {
		this.runner.withUserConfiguration(Inside.class).run((context) -> {
			context.getBean(Job.class).run();
			assertThat(this.acquired).hasValue(1);
			assertThat(output).contains("Job.run() is @Retryable inside of its lock")
				.contains("set @EnableRetry(order = 2147483546), below lock.aspect.order");
		});
	}

	@Test
	void eachRetryWithThatSettingAcquiresTheLock(CapturedOutput output) {
		this.runner.withUserConfiguration(Outside.class).run((context) -> {
			context.getBean(Job.class).run();
			assertThat(this.acquired).hasValue(2);
			assertThat(output).doesNotContain("is @Retryable");
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry
	static class Inside {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry(order = Ordered.LOWEST_PRECEDENCE - 101)
	static class Outside {

	}

	static class Job {

		private int attempts;

		@Retryable(backoff = @Backoff(delay = 1))
		@DistributedLock
		public void run() {
			this.attempts++;
			if (this.attempts == 1) {
				throw new IllegalStateException("first attempt");
			}
		}

	}

}
