package io.github.lockboot.autoconfigure;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.aop.InheritedJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods that a bean inherits: they are locked, or the start fails.
 */
class InheritedMethodTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DistributedLockAutoConfiguration.class,
				LocalLockAutoConfiguration.class))
		.withPropertyValues("lock.backend=local", "lock.wait-time=0s");

	@ParameterizedTest
	@ValueSource(classes = { InheritedJob.class, InheritedJob.Neighbor.class, Visible.class, Overriding.class })
	void methodThatAProxyOverridesIsLocked(Class<?> type) {
		this.runner.withBean(type).run((context) -> {
			Object job = context.getBean(type);
			try (LockHandle held = context.getBean(LockOperations.class).acquire(LockRequest.of("job"))) {
				assertThat(held.isHeld()).isTrue();
				assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> run(job));
			}
			assertThat(run(job)).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void packagePrivateMethodOfAnotherPackageStopsTheStart(String proxyTargetClass) {
		this.runner.withBean("hiding", Hiding.class)
			.withPropertyValues("spring.aop.proxy-target-class=" + proxyTargetClass)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("hidden() is package-private in another package than its bean 'hiding'"));
	}

	private static int run(Object job) {
		return (job instanceof InheritedJob hidden) ? InheritedJob.runHidden(hidden)
				: InheritedJob.Protected.runProtected((InheritedJob.Protected) job);
	}

	static class Hiding extends InheritedJob {

	}

	static class Visible extends InheritedJob.Protected {

	}

	static class Overriding extends InheritedJob.Protected {

		@Override
		protected void visible() {
			super.visible();
		}

	}

}
