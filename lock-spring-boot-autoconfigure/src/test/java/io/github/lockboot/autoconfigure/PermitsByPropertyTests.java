package io.github.lockboot.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedSemaphore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The permits of methods by properties, which may change while the application runs.
 */
class PermitsByPropertyTests {

	private final RecordingLockOperations locks = new RecordingLockOperations();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
		.withBean(LockOperations.class, () -> this.locks)
		.withBean(Calls.class)
		.withPropertyValues("lock.locks.end-of-day.permits=2", "lock.locks[mail.server].permits=3", "shop.limit=4");

	@Test
	void aNewValueAppliesFromTheNextCallOn() {
		this.runner.run((context) -> {
			callAll(context.getBean(Calls.class));
			TestPropertyValues
				.of("lock.locks.end-of-day.permits=5", "lock.locks[mail.server].permits=6", "shop.limit=7")
				.applyTo(context);
			callAll(context.getBean(Calls.class));
			assertThat(this.locks.requests()).extracting(LockRequest::permits).containsExactly(2, 3, 4, 5, 6, 7);
		});
	}

	@Test
	void aNumberThatNoSemaphoreReachesIsNoSharedLock() {
		this.runner.withPropertyValues("shop.limit=9999999999").run((context) -> {
			context.getBean(Calls.class).sell();
			assertThat(this.locks.request().permits()).isEqualTo(Integer.MAX_VALUE - 1);
		});
	}

	@Test
	void aVariableOfTheEnvironmentOverridesThem() {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("LOCK_LOCKS_ENDOFDAY_PERMITS", "8"))))
			.run((context) -> {
				context.getBean(Calls.class).endOfDay();
				assertThat(this.locks.request().permits()).isEqualTo(8);
			});
	}

	@Test
	void aNewValueBelowOneFailsTheCallsAndNamesItsProperty() {
		this.runner.run((context) -> {
			TestPropertyValues.of("lock.locks.end-of-day.permits=0").applyTo(context);
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(context.getBean(Calls.class)::endOfDay)
				.withMessageStartingWith("Permits '${lock.locks.end-of-day.permits:2}' of ")
				.withMessageEndingWith("are '0', but must be a whole number of at least 1");
			assertThat(this.locks.requests()).isEmpty();
		});
	}

	private static void callAll(Calls calls) {
		calls.endOfDay();
		calls.mail();
		calls.sell();
	}

	static class Calls {

		@DistributedSemaphore(name = "end-of-day")
		public void endOfDay() {
		}

		@DistributedSemaphore(name = "mail.server")
		public void mail() {
		}

		@DistributedSemaphore(name = "shop", permits = "${shop.limit}")
		public void sell() {
		}

	}

}
