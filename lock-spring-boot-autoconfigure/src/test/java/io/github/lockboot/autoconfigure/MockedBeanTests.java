package io.github.lockboot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.RedisCache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * A test of an application that replaces annotated beans starts.
 */
@SpringJUnitConfig
class MockedBeanTests {

	@MockitoBean
	private Orders mocked;

	@MockitoBean
	private Prices prices;

	@MockitoSpyBean
	private Stock spied;

	@Test
	void mockIsNotLockedAndSpyIs(@Autowired RecordingLockOperations locks) {
		this.mocked.pay();
		this.spied.take();
		assertThat(locks.names()).containsExactly("stock");
	}

	@Test
	void mockOfACachedBeanAnswersAsItIsTold() {
		given(this.prices.find(1)).willReturn("told");
		assertThat(this.prices.find(1)).isEqualTo("told");
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

	static class Prices {

		@RedisCache(name = "price", key = "#id")
		public @Nullable String find(int id) {
			return "price " + id;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DistributedLockAutoConfiguration.class,
			CacheAnnotationsAutoConfiguration.class })
	static class Application {

		@Bean
		RecordingLockOperations locks() {
			return new RecordingLockOperations();
		}

		@Bean
		CacheOperations cache() {
			return mock(CacheOperations.class);
		}

		@Bean
		Prices prices() {
			return new Prices();
		}

		@Bean
		Orders orders() {
			return new Orders();
		}

		@Bean
		Stock stock() {
			return new Stock();
		}

	}

}
