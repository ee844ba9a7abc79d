package io.github.lockboot.footprint;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.annotation.DistributedLock;

/**
 * An application with locks and without a cache.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class LockingApplication {

	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(LockingApplication.class)
			.run(args)) {
			System.out.println(context.getBean(Orders.class).pay("42"));
		}
	}

	@Bean
	static Orders orders() {
		return new Orders();
	}

	static class Orders {

		@DistributedLock(key = "#id")
		public String pay(String id) {
			return "paid " + id;
		}

	}

}
