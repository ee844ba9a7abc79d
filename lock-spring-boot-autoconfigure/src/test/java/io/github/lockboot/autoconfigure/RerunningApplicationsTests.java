package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run begins after each skipped call, whichever JVM is killed, unless all are.
 */
@Tag("long")
@RedisTest
class RerunningApplicationsTests {

	private final RedisServer redis;

	private final JvmProcess holder;

	private final JvmProcess caller;

	private final JvmProcess other;

	RerunningApplicationsTests(RedisServer redis) {
		this.redis = redis;
		this.holder = start();
		this.caller = start();
		this.other = start();
	}

	private JvmProcess start() {
		return JvmProcess.start(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"), RerunningApplication.class,
				this.redis.host(), String.valueOf(this.redis.port()));
	}

	@BeforeEach
	void skipACall() {
		List.of(this.holder, this.caller, this.other).forEach((each) -> each.awaitLine("ready"));
		this.holder.send("books");
		this.holder.awaitLine("indexes books");
		this.caller.send("books");
		this.caller.awaitLine("returned books");
		this.other.send("");
	}

	@AfterEach
	void stop() {
		List.of(this.holder, this.caller, this.other).forEach(JvmProcess::close);
	}

	@Test
	void callerRunsAfterAKilledHolder() {
		this.holder.kill();
		this.caller.awaitLine("indexes books");
		assertThat(this.caller.output()).doesNotContain("indexed books");
	}

	@Test
	void holderRunsAgainForAKilledCaller() {
		this.caller.kill();
		this.holder.send("");
		this.holder.awaitLine("indexed books");
		this.holder.awaitLine("indexes books");
	}

	@Test
	void otherJvmRunsForAKilledCallerAfterAKilledHolder() {
		this.caller.kill();
		this.holder.kill();
		this.other.awaitLine("indexes books");
	}

	/** The caller writes the record again, which the holder may see at its end. */
	@Test
	void callerOrHolderRunsAfterARestartThatLosesTheRecord() {
		this.redis.kill();
		this.redis.start();
		assertThat(this.redis.command("KEYS", "lock:*rerun*")).isEqualTo(List.of());
		this.holder.send("");
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(Stream.of(this.holder, this.caller).flatMap((each) -> each.output().stream()))
						.filteredOn("indexes books"::equals)
						.hasSizeGreaterThan(1));
	}

	/**
	 * A JVM with a method that is run again. It calls the method for each shop that it
	 * reads, and the first run of a JVM lasts until the JVM reads a blank line. The
	 * arguments are host and port of Redis.
	 */
	static final class RerunningApplication {

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

}
