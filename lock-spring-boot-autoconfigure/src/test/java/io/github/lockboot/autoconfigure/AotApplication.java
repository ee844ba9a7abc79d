package io.github.lockboot.autoconfigure;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.leader.LeaderAutoConfiguration;
import io.github.lockboot.leader.LeaderElection;

/**
 * An application that is processed ahead of time, and then prints whether its methods are
 * locked.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ AopAutoConfiguration.class, DistributedLockAutoConfiguration.class,
		LocalLockAutoConfiguration.class, ReactiveLockAutoConfiguration.class, LeaderAutoConfiguration.class })
class AotApplication {

	public static void main(String[] arguments) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(AotApplication.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("lock.backend=local", "lock.leader.roles=reports")
			.run(arguments)) {
			Orders orders = context.getBean(Orders.class);
			System.out.println("class: " + orders.getClass().getSimpleName());
			System.out.println("held: " + orders.pay(new Order("42")));
			System.out.println("role: " + context.getBean(LeaderElection.class).role());
			System.out.println("end");
		}
	}

	@Bean
	Orders orders(LockOperations locks) {
		return new Orders(locks);
	}

	@Bean
	Keys keys() {
		return new Keys();
	}

	static class Order {

		private final String id;

		Order(String id) {
			this.id = id;
		}

		public String getId() {
			return this.id;
		}

	}

	static class Keys {

		public String of(Order order) {
			return order.getId();
		}

	}

	static class Orders {

		private final LockOperations locks;

		Orders(LockOperations locks) {
			this.locks = locks;
		}

		@DistributedLock(name = "orders", key = "#order.id + '/' + @keys.of(#order)")
		public boolean pay(Order order) {
			return this.locks.inspect("orders:42/42").isHeld();
		}

	}

}
