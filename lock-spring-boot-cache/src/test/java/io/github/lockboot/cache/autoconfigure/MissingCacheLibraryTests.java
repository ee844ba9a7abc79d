package io.github.lockboot.cache.autoconfigure;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import static io.github.lockboot.autoconfigure.MissingLibraryTests.startWithout;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failure messages of the cache if a library is missing on the class path.
 */
@Tag("long")
class MissingCacheLibraryTests {

	@Test
	void missingRedisOfTheCacheIsReported() {
		assertThat(startWithout(Caching.class, "spring-data-redis", "spring-boot-data-redis"))
			.contains("APPLICATION FAILED TO START")
			.contains("no CacheOperations bean")
			.contains("lock.cache.enabled=false");
	}

	@Test
	void missingJacksonIsReported() {
		assertThat(startWithout(Caching.class, "jackson-databind", "jackson-core"))
			.contains("APPLICATION FAILED TO START")
			.contains("there is no Jackson on the class path and no ValueCodec bean")
			.contains("Add tools.jackson.core:jackson-databind");
	}

	@Test
	void missingCaffeineForLocalCopiesIsReported() {
		assertThat(startWithout(LocalCaching.class, "caffeine")).contains("APPLICATION FAILED TO START")
			.contains("lock.cache.caches[stock].local-ttl")
			.contains("add com.github.ben-manes.caffeine:caffeine");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class LocalCaching {

		public static void main(String[] arguments) {
			SpringApplication.run(LocalCaching.class, "--spring.main.web-application-type=none", "--lock.backend=local",
					"--lock.cache.caches.stock.local-ttl=5s");
		}

	}

	static class Caching extends CacheFailureAnalyzerTests.OneCachedMethod {

		public static void main(String[] arguments) {
			SpringApplication.run(Caching.class, "--spring.main.web-application-type=none", "--lock.backend=local");
		}

	}

}
