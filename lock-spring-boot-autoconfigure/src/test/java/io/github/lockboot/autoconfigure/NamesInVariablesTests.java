package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Settings of one lock in environment variables.
 */
@ExtendWith(OutputCaptureExtension.class)
class NamesInVariablesTests {

	private final ApplicationContextRunner runner = LockRunners.local()
		.withBean(EndOfDay.class)
		.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
					Map.of("LOCK_LOCKS_ENDOFDAY_WAITTIME", "7s"))));

	@ParameterizedTest
	@ValueSource(strings = { "end-of-day", "endOfDay", "end.of.day", "endofday" })
	void areFoundUnderTheNameOfTheAnnotation(String name) {
		this.runner.run((context) -> {
			LockProperties properties = context.getBean(LockProperties.class);
			assertThat(properties.defaults(name).lock().waitTime()).isEqualTo(Duration.ofSeconds(7));
		});
	}

	@Test
	void areNotUsedForAnotherName() {
		this.runner.run((
				context) -> assertThat(context.getBean(LockProperties.class).defaults("end-of-month").lock().waitTime())
					.isEqualTo(Duration.ofSeconds(3)));
	}

	@Test
	void overrideAFileAndKeepItsOtherValues(CapturedOutput output) {
		this.runner.withPropertyValues("lock.locks.end-of-day.wait-time=1s", "lock.locks.end-of-day.lease-time=20s")
			.run((context) -> {
				LockProperties properties = context.getBean(LockProperties.class);
				assertThat(properties.defaults("end-of-day").lock().waitTime()).isEqualTo(Duration.ofSeconds(7));
				assertThat(properties.defaults("end-of-day").lock().leaseTime()).isEqualTo(Duration.ofSeconds(20));
				assertThat(output).doesNotContain("Settings under lock.locks are not used");
			});
	}

	static class EndOfDay {

		@DistributedLock(name = "end-of-day")
		public void run() {
		}

	}

}
