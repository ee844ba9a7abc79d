package io.github.lockboot.autoconfigure;

import java.time.Duration;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.Renew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A transaction is rolled back if its lock is lost before the commit.
 */
class LostLockTransactionTests {

	private final ApplicationContextRunner runner = StockDatabase.runner(Application.class).withBean(Stock.class);

	@Test
	void transactionIsRolledBackWithAnyOnLost() {
		this.runner.run((context) -> {
			Stock stock = context.getBean(Stock.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(stock::takeAndLose)
				.satisfies((ex) -> assertThat(ex.lockName()).isEqualTo("stock"));
			assertThat(stock.pieces()).isEqualTo(10);
		});
	}

	@Test
	void transactionOfAnAdditionalManagerIsRolledBackToo() {
		this.runner.withUserConfiguration(OtherTransactions.class).run((context) -> {
			Stock stock = context.getBean(Stock.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(stock::takeAndLoseElsewhere);
			assertThat(stock.pieces()).isEqualTo(10);
		});
	}

	@Test
	void transactionInsideTheLockedMethodIsRolledBack() {
		this.runner.run((context) -> {
			Stock stock = context.getBean(Stock.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(stock::takeInAnInnerTransaction);
			assertThat(stock.pieces()).isEqualTo(10);
		});
	}

	@Test
	void callersTransactionIsRolledBack() {
		this.runner.run((context) -> {
			Stock stock = context.getBean(Stock.class);
			TransactionTemplate caller = context.getBean(TransactionTemplate.class);
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> caller.executeWithoutResult((status) -> {
					stock.takeWithAShortLease();
					stock.loseTheLock();
				}));
			assertThat(stock.pieces()).isEqualTo(10);
		});
	}

	@Test
	void lossAfterTheCallsOwnTransactionHasNoEffect() {
		this.runner.run((context) -> {
			Stock stock = context.getBean(Stock.class);
			TransactionTemplate caller = context.getBean(TransactionTemplate.class);
			caller.executeWithoutResult((status) -> stock.takeApart());
			assertThat(stock.pieces()).isEqualTo(9);
		});
	}

	@Test
	void transactionWithoutALockIsCommitted() {
		this.runner.run((context) -> {
			Stock stock = context.getBean(Stock.class);
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> stock.take());
			assertThat(stock.pieces()).isEqualTo(9);
		});
	}

	static class Stock {

		private final JdbcTemplate jdbc;

		private final LockOperations locks;

		private final TransactionTemplate transactions;

		Stock(JdbcTemplate jdbc, LockOperations locks, TransactionTemplate transactions) {
			this.jdbc = jdbc;
			this.locks = locks;
			this.transactions = transactions;
		}

		@Transactional
		@DistributedLock(name = "stock", leaseTime = "50ms", renew = Renew.OFF, onLost = OnLost.LOG)
		public void takeAndLose() {
			take();
			loseTheLock();
		}

		@Transactional(transactionManager = "other")
		@DistributedLock(name = "stock", leaseTime = "50ms", renew = Renew.OFF, onLost = OnLost.LOG)
		public void takeAndLoseElsewhere() {
			take();
			loseTheLock();
		}

		@DistributedLock(name = "stock", leaseTime = "50ms", renew = Renew.OFF, onLost = OnLost.LOG)
		public void takeInAnInnerTransaction() {
			this.transactions.executeWithoutResult((status) -> {
				take();
				loseTheLock();
			});
		}

		@DistributedLock(name = "stock", leaseTime = "50ms", renew = Renew.OFF, onLost = OnLost.LOG)
		public void takeWithAShortLease() {
			take();
		}

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@DistributedLock(name = "stock")
		public void takeApart() {
			take();
		}

		void take() {
			this.jdbc.update("update stock set pieces = pieces - 1");
		}

		void loseTheLock() {
			Awaitility.await()
				.pollInSameThread()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> this.locks.ensureHeld("stock")));
		}

		int pieces() {
			Integer pieces = this.jdbc.queryForObject("select pieces from stock", Integer.class);
			return (pieces != null) ? pieces : -1;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherTransactions {

		@Bean
		JdbcTransactionManager other(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(StockDatabase.class)
	static class Application {

		@Bean
		@Primary
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

}
