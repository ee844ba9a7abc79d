package io.github.lockboot.benchmarks.interceptor;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;

/**
 * An application with locks within its JVM, so that no network hides the difference.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class })
class Application {

	static ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("lock.backend=local", "spring.main.banner-mode=off", "logging.level.root=warn")
			.run();
	}

	@Bean
	Orders orders() {
		return new Orders();
	}

}
