package io.github.lockboot.autoconfigure;

import java.util.Scanner;
import java.util.concurrent.CountDownLatch;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.OnNotAcquired;

/**
 * A JVM with a method that is run again. It calls the method for each shop that it reads,
 * and the first run of a JVM lasts until the JVM reads a blank line. The arguments are
 * host and port of Redis.
 */
final class RerunningApplication {

	private static final CountDownLatch MAY_END = new CountDownLatch(1);

	private RerunningApplication() {
	}

	public static void main(String[] arguments) {
		Search search = new SpringApplicationBuilder(Configured.class).web(WebApplicationType.NONE)
			.properties("lock.lease-time=2s", "spring.data.redis.host=" + arguments[0],
					"spring.data.redis.port=" + arguments[1])
			.run()
			.getBean(Search.class);
		System.out.println("ready");
		Scanner lines = new Scanner(System.in);
		while (lines.hasNextLine()) {
			String shop = lines.nextLine();
			if (shop.isEmpty()) {
				MAY_END.countDown();
			}
			else {
				new Thread(() -> {
					search.index(shop);
					System.out.println("returned " + shop);
				}).start();
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class,
			DistributedLockAutoConfiguration.class })
	static class Configured {

		@Bean
		Search search() {
			return new Search();
		}

	}

	static class Search {

		@DistributedLock(name = "search", key = "#shop", onNotAcquired = OnNotAcquired.RERUN)
		void index(String shop) {
			System.out.println("indexes " + shop);
			try {
				MAY_END.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			System.out.println("indexed " + shop);
		}

	}

}
