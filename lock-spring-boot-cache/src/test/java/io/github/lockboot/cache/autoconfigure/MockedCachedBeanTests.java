package io.github.lockboot.cache.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.RedisCache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of an application may replace cached beans by mocks.
 */
@SpringJUnitConfig
class MockedCachedBeanTests {

	@MockitoBean
	private Prices prices;

	@Test
	void mockOfACachedBeanReturnsItsStubbedValues() {
		given(this.prices.find(1)).willReturn("told");
		assertThat(this.prices.find(1)).isEqualTo("told");
	}

	static class Prices {

		@RedisCache(name = "price", key = "#id")
		public @Nullable String find(int id) {
			return "price " + id;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, CacheAnnotationsAutoConfiguration.class })
	static class Application {

		@Bean
		CacheOperations cache() {
			return mock(CacheOperations.class);
		}

		@Bean
		Prices prices() {
			return new Prices();
		}

	}

}
