package io.github.lockboot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application may replace annotated beans by mocks.
 */
@SpringJUnitConfig
class MockedBeanTests {

	@MockitoBean
	private Orders mocked;

	@MockitoSpyBean
	private Stock spied;

	@Test
	void spyIsLockedButAMockIsNot(@Autowired RecordingLockOperations locks) {
		this.mocked.pay();
		this.spied.take();
		assertThat(locks.names()).containsExactly("stock");
	}

	static class Orders {

		@DistributedLock(name = "orders")
		public void pay() {
		}

	}

	static class Stock {

		@DistributedLock(name = "stock")
		public void take() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DistributedLockAutoConfiguration.class })
	@Import({ RecordingLockOperations.class, Orders.class, Stock.class })
	static class Application {

	}

}
