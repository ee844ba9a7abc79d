package io.github.lockboot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Locked methods that are called after their application has ended.
 */
class ClosedApplicationTests {

	private final ApplicationContextRunner runner = LockRunners.local(AopAutoConfiguration.class,
			LockShutdownAutoConfiguration.class);

	@ParameterizedTest
	@EnumSource
	void firstCallIsRejectedAndCreatesNoBean(LockProperties.Validation validation) {
		this.runner.withBean(Orders.class).withPropertyValues("lock.aspect.validation=" + validation).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getSourceApplicationContext().close();
			assertRefused(catchThrowable(orders::pay));
			assertThat(context.getBeanFactory().containsSingleton("localLockTemplate")).isFalse();
		});
	}

	@Test
	void firstCallWithItsOwnTemplateIsRejected() {
		this.runner.withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getSourceApplicationContext().close();
			assertRefused(catchThrowable(orders::payByTemplate));
		});
	}

	@Test
	void laterCallIsRejected() {
		this.runner.withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.pay();
			context.getSourceApplicationContext().close();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(orders::pay)
				.withMessageEndingWith("Orders.pay()' was not acquired: the locks are closed");
		});
	}

	private static void assertRefused(Throwable failure) {
		assertThat(failure).isInstanceOf(LockUnavailableException.class)
			.hasMessageContaining("the application context is closed");
	}

	static class Orders {

		@DistributedLock
		public void pay() {
		}

		@DistributedLock(template = "localLockTemplate")
		public void payByTemplate() {
		}

	}

}
