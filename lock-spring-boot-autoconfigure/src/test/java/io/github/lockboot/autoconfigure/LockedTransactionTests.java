package io.github.lockboot.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionStatus;

import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.InvalidLockAnnotationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The lock is outside of the transaction, with a real database.
 */
class LockedTransactionTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, TransactionAutoConfiguration.class,
				AopAutoConfiguration.class, DistributedLockAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true")
		.withUserConfiguration(Application.class)
		.withBean(Stock.class);

	@Test
	void lockIsAcquiredBeforeBeginAndReleasedAfterCommit() {
		this.runner.run((context) -> {
			context.getBean(Stock.class).take(3);
			assertThat(context.getBean(RecordingLockOperations.class).events()).containsExactly("lock", "begin", "body",
					"commit", "unlock");
		});
	}

	@Test
	void lockIsReleasedAfterRollback() {
		this.runner.run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(Stock.class).take(11));
			assertThat(context.getBean(RecordingLockOperations.class).events()).containsExactly("lock", "begin", "body",
					"rollback", "unlock");
		});
	}

	@Test
	void transactionOutsideOfTheLockStopsTheStartWithBothOrders() {
		this.runner.withPropertyValues("lock.aspect.order=2147483647")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("'org.springframework.transaction.config.internalTransactionAdvisor'")
				.hasMessageContaining("has the order 2147483647 and @DistributedLock the order 2147483647"));
	}

	@Test
	void transactionsThatTheUserMovesOutsideStopTheStart() {
		this.runner.withUserConfiguration(EarlyTransactions.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("has the order 5"));
	}

	@Test
	void transactionsThatTheUserMovesOutsideWorkWithALockOutsideOfThem() {
		this.runner.withUserConfiguration(EarlyTransactions.class)
			.withPropertyValues("lock.aspect.order=4")
			.run((context) -> {
				context.getBean(Stock.class).take(3);
				assertThat(context.getBean(RecordingLockOperations.class).events()).containsExactly("lock", "begin",
						"body", "commit", "unlock");
			});
	}

	static class Stock {

		private final JdbcTemplate jdbc;

		private final RecordingLockOperations locks;

		Stock(JdbcTemplate jdbc, RecordingLockOperations locks) {
			this.jdbc = jdbc;
			this.locks = locks;
		}

		@Transactional
		@DistributedLock(name = "stock")
		public void take(int pieces) {
			this.locks.events().add("body");
			Integer left = this.jdbc.queryForObject("select pieces from stock", Integer.class);
			if (left == null || left < pieces) {
				throw new IllegalStateException("sold out");
			}
			this.jdbc.update("update stock set pieces = ?", left - pieces);
		}

	}

	@SuppressWarnings("serial")
	static class RecordingTransactions extends JdbcTransactionManager {

		private final transient List<String> events;

		RecordingTransactions(DataSource dataSource, List<String> events) {
			super(dataSource);
			this.events = events;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.events.add("begin");
			super.doBegin(transaction, definition);
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			super.doCommit(status);
			this.events.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			super.doRollback(status);
			this.events.add("rollback");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 5)
	static class EarlyTransactions {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ StockDatabase.class, RecordingLockOperations.class })
	static class Application {

		@Bean
		RecordingTransactions transactionManager(DataSource dataSource, RecordingLockOperations locks) {
			return new RecordingTransactions(dataSource, locks.events());
		}

	}

}
