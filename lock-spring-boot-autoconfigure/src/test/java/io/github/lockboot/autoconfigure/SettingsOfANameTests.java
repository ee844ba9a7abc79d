package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
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
 * Settings of one name: permits, which may change while the application runs, and those
 * in environment variables.
 */
@ExtendWith(OutputCaptureExtension.class)
class SettingsOfANameTests {

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
		withVariable("LOCK_LOCKS_ENDOFDAY_PERMITS", "8").run((context) -> {
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

	@ParameterizedTest
	@ValueSource(strings = { "end-of-day", "endOfDay", "end.of.day", "endofday" })
	void variablesAreFoundUnderTheNameOfTheAnnotation(String name) {
		withVariable("LOCK_LOCKS_ENDOFDAY_WAITTIME", "7s").run((context) -> {
			LockProperties properties = context.getBean(LockProperties.class);
			assertThat(properties.defaults(name).lock().waitTime()).isEqualTo(Duration.ofSeconds(7));
		});
	}

	@Test
	void variablesAreNotUsedForAnotherName() {
		withVariable("LOCK_LOCKS_ENDOFDAY_WAITTIME", "7s").run((
				context) -> assertThat(context.getBean(LockProperties.class).defaults("end-of-month").lock().waitTime())
					.isEqualTo(Duration.ofSeconds(3)));
	}

	@Test
	void variablesOverrideAFileAndKeepItsOtherValues(CapturedOutput output) {
		withVariable("LOCK_LOCKS_ENDOFDAY_WAITTIME", "7s")
			.withPropertyValues("lock.locks.end-of-day.wait-time=1s", "lock.locks.end-of-day.lease-time=20s")
			.run((context) -> {
				LockProperties properties = context.getBean(LockProperties.class);
				assertThat(properties.defaults("end-of-day").lock().waitTime()).isEqualTo(Duration.ofSeconds(7));
				assertThat(properties.defaults("end-of-day").lock().leaseTime()).isEqualTo(Duration.ofSeconds(20));
				assertThat(output).doesNotContain("Settings under lock.locks are not used");
			});
	}

	private ApplicationContextRunner withVariable(String name, String value) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value))));
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
