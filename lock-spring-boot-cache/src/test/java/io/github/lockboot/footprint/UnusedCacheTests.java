package io.github.lockboot.footprint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application without a cache has no cost for it. Spring needs the type of every bean
 * that could be injected, and reads its methods, so that the template is loaded with the
 * types in its class file; none of them is used.
 */
@RedisTest
class UnusedCacheTests {

	private static final String CACHE = "io.github.lockboot.cache.";

	private final RedisServer redis;

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path folder;

	UnusedCacheTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void disabledCacheLoadsNoClass() {
		assertThat(loaded("--lock.cache.enabled=false")).isEmpty();
	}

	@Test
	void unusedCacheLoadsOnlyItsConditions() {
		List<String> loaded = loaded();
		assertThat(loaded).contains("redis.RedisCacheTemplate").hasSizeLessThan(47);
	}

	/** Return names of classes without their common package. */
	private List<String> loaded(String... arguments) {
		Path log = this.folder.resolve("classes");
		List<String> all = new ArrayList<>(List.of("--spring.data.redis.host=" + this.redis.host(),
				"--spring.data.redis.port=" + this.redis.port(), "--spring.main.web-application-type=none",
				"--spring.main.banner-mode=off", "--logging.level.root=WARN"));
		all.addAll(List.of(arguments));
		try (JvmProcess application = JvmProcess.start(
				List.of("-XX:TieredStopAtLevel=1", "-Xlog:class+load:file=" + log + ":none"), LockingApplication.class,
				all.toArray(String[]::new))) {
			application.awaitLine("^paid 42$", Duration.ofMinutes(2));
			application.awaitExit(Duration.ofMinutes(1));
		}
		try (Stream<String> lines = Files.lines(log)) {
			return lines.map((line) -> line.split(" ")[0])
				.filter((name) -> name.startsWith(CACHE) && !name.contains("$$Lambda"))
				.map((name) -> name.substring(CACHE.length()))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * An application with locks and without a cache.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class LockingApplication {

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

}
