package io.github.lockboot.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locked transactions of many threads: each reads what the previous one has committed.
 */
class ConcurrentTransactionsTests {

	private static final int THREADS = 8;

	private static final int CALLS = 25;

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void noTransactionReadsAStaleRow() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
					DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class))
			.withPropertyValues("lock.backend=local", "lock.wait-time=1m",
					"spring.datasource.generate-unique-name=true")
			.withUserConfiguration(Application.class)
			.withBean(Counter.class)
			.run((context) -> {
				Counter counter = context.getBean(Counter.class);
				CompletableFuture<?>[] callers = IntStream.range(0, THREADS)
					.mapToObj((caller) -> CompletableFuture.runAsync(() -> countUp(counter), this.threads))
					.toArray(CompletableFuture[]::new);
				assertThat(CompletableFuture.allOf(callers)).succeedsWithin(2, TimeUnit.MINUTES);
				assertThat(counter.value()).isEqualTo(THREADS * CALLS);
			});
	}

	private static void countUp(Counter counter) {
		for (int i = 0; i < CALLS; i++) {
			counter.increment();
		}
	}

	static class Counter {

		private final JdbcTemplate jdbc;

		Counter(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@DistributedLock(name = "counter")
		@Transactional
		public void increment() {
			this.jdbc.update("update counter set amount = ?", value() + 1);
		}

		int value() {
			Integer value = this.jdbc.queryForObject("select amount from counter", Integer.class);
			return (value != null) ? value : -1;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		JdbcTemplate jdbc(DataSource dataSource) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			jdbc.execute("create table counter (amount int)");
			jdbc.update("insert into counter values (0)");
			return jdbc;
		}

	}

}
