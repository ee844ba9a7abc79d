package io.github.lockboot.test;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warning reports a test that does not lock annotated methods.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnlockedTestWarningTests {

	@Nested
	@SpringJUnitConfig(Application.class)
	class WithMockedLocksAndNoAutoConfiguration {

		@MockitoBean
		LockOperations locks;

		@Test
		void methodRunsUnlockedWithAWarning(@Autowired Orders orders, CapturedOutput output) {
			assertThat(orders.pay()).isEqualTo("paid");
			assertThat(output).containsOnlyOnce("Methods with @DistributedLock run without a lock")
				.contains("put @LocalLocks on the test class. They are in class " + Orders.class.getName());
		}

	}

	@Nested
	@SpringJUnitConfig({ Application.class, Locked.class })
	class WithMockedLocks {

		@MockitoBean
		LockOperations locks;

		@Test
		void methodDoesNotRunWithAWarning(@Autowired Orders orders, CapturedOutput output) {
			assertThat(orders.pay()).isNull();
			assertThat(output)
				.containsOnlyOnce("Methods with @DistributedLock do not run, since LockOperations is a mock");
		}

	}

	@Nested
	@SpringJUnitConfig(Application.class)
	class WithMockedBeans {

		@MockitoBean
		Orders orders;

		@Test
		void nothingIsLoggedForThem(CapturedOutput output) {
			assertThat(this.orders.pay()).isNull();
			assertThat(output).doesNotContain("Methods with @DistributedLock");
		}

	}

	@Nested
	@SpringJUnitConfig(Application.class)
	@LocalLocks
	class WithLocalLocks {

		@Test
		void nothingIsLogged(@Autowired Orders orders, CapturedOutput output) {
			assertThat(orders.pay()).isEqualTo("paid");
			assertThat(output).doesNotContain("Methods with @DistributedLock");
		}

	}

	static class Orders {

		@DistributedLock(name = "order")
		public String pay() {
			return "paid";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Orders.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DistributedLockAutoConfiguration.class)
	static class Locked {

	}

}
