package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
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
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.Renew;
import io.github.lockboot.fixture.NewThreadExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Transactions of locked methods and of their callers, with a real database and a second
 * thread that tries the lock, or with a lock that is lost.
 */
@ExtendWith(OutputCaptureExtension.class)
class TransactionUnderLockTests {

	private static final String WARNING = "is called inside a transaction that began before the lock of the method was acquired";

	private final ApplicationContextRunner runner = StockDatabase.runner(Application.class).withBean(Stock.class);

	@Test
	void lockIsKeptUntilTheCallersTransactionIsCommitted() {
		this.runner.run((context) -> {
			new Caller(context).call(() -> {
				stock(context).take(3);
				assertThat(piecesSeenByAnother(context, "stock")).isNull();
			});
			assertThat(piecesSeenByAnother(context, "stock")).isEqualTo(7);
		});
	}

	@Test
	void lockIsKeptUntilTheCallersTransactionIsRolledBack() {
		this.runner.run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> new Caller(context).call(() -> {
				stock(context).take(3);
				assertThat(piecesSeenByAnother(context, "stock")).isNull();
				throw new IllegalStateException("changed my mind");
			})).withMessage("changed my mind");
			assertThat(piecesSeenByAnother(context, "stock")).isEqualTo(10);
		});
	}

	@Test
	void lockOfAFailedMethodIsKeptToo() {
		this.runner.run((context) -> new Caller(context).call(() -> {
			assertThatIllegalStateException().isThrownBy(() -> stock(context).fail());
			assertThat(piecesSeenByAnother(context, "stock")).isNull();
		}));
	}

	@Test
	void lockThatIsReleasedImmediatelyShowsTheNextHolderAStaleRow() {
		this.runner.withPropertyValues("lock.transaction.release=immediate").run((context) -> {
			new Caller(context).call(() -> {
				stock(context).take(3);
				assertThat(piecesSeenByAnother(context, "stock")).isEqualTo(10);
			});
			assertThat(piecesSeenByAnother(context, "stock")).isEqualTo(7);
		});
	}

	@Test
	void severalLocksOfACallAreKept() {
		this.runner.run((context) -> {
			new Caller(context).call(() -> {
				stock(context).move("a", "b");
				assertThat(piecesSeenByAnother(context, "shelf:a")).isNull();
				assertThat(piecesSeenByAnother(context, "shelf:b")).isNull();
			});
			assertThat(piecesSeenByAnother(context, "shelf:a")).isEqualTo(10);
			assertThat(piecesSeenByAnother(context, "shelf:b")).isEqualTo(10);
		});
	}

	@Test
	void callsOfOneTransactionShareTheirLock() {
		this.runner.run((context) -> {
			new Caller(context).call(() -> {
				stock(context).take(1);
				stock(context).take(1);
				context.getBean(LockOperations.class).execute("stock", () -> stock(context).take(1));
			});
			assertThat(piecesSeenByAnother(context, "stock")).isEqualTo(7);
		});
	}

	@Test
	void newTransactionIsCommittedBeforeItsLockIsReleasedAtTheEndOfTheCall() {
		this.runner.run((context) -> new Caller(context).call(() -> {
			stock(context).takeApart(3);
			assertThat(piecesSeenByAnother(context, "stock")).isEqualTo(7);
		}));
	}

	@Test
	void lockOfASuspendedTransactionIsKeptUntilThatOneIsCommitted() {
		this.runner.run((context) -> {
			new Caller(context).call(() -> {
				stock(context).take(1);
				stock(context).takeApartFromAnotherShelf();
				assertThat(piecesSeenByAnother(context, "stock")).isNull();
				assertThat(piecesSeenByAnother(context, "other")).isNotNull();
			});
			assertThat(piecesSeenByAnother(context, "stock")).isEqualTo(9);
		});
	}

	@Test
	void innerCallOfALockedTransactionIsReleasedWithIt() {
		this.runner.run((context) -> {
			context.getBean(Outer.class).takeTwice();
			assertThat(piecesSeenByAnother(context, "stock")).isEqualTo(8);
		});
	}

	@Test
	void olderSnapshotIsLoggedAsAWarningOnce(CapturedOutput output) {
		this.runner.run((context) -> {
			new Caller(context).call(() -> stock(context).take(1));
			new Caller(context).call(() -> stock(context).take(1));
			assertThat(output).containsOnlyOnce(WARNING).contains("Stock.take(int) " + WARNING);
		});
	}

	@Test
	void sectionOfTheTemplateInsideATransactionLogsAWarningOnce(CapturedOutput output) {
		this.runner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			for (int i = 0; i < 2; i++) {
				locks.execute("outer", () -> new Caller(context)
					.call(() -> locks.execute("outer", () -> stock(context).takeApart(1))));
			}
			assertThat(output).doesNotContain("was released inside a transaction");
			new Caller(context).call(() -> locks.execute("inner", () -> "done"));
			new Caller(context).call(() -> locks.execute("inner", () -> "done"));
			assertThat(output)
				.containsOnlyOnce("Lock 'inner' was released inside a transaction that is not committed yet");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "takeApart", "takeTwice", "take" })
	void transactionInsideItsLockLogsNoWarning(String call, CapturedOutput output) {
		this.runner.run((context) -> {
			switch (call) {
				case "takeApart" -> new Caller(context).call(() -> stock(context).takeApart(1));
				case "takeTwice" -> context.getBean(Outer.class).takeTwice();
				default -> stock(context).take(1);
			}
			assertThat(output).doesNotContain(WARNING);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "of the method", "of another manager", "inside the method", "of the caller" })
	void transactionIsRolledBackIfItsLockIsLostWithAnyOnLost(String transaction) {
		this.runner.withUserConfiguration(OtherTransactions.class).run((context) -> {
			Stock stock = stock(context);
			ThrowingCallable call = switch (transaction) {
				case "of the method" -> stock::takeAndLose;
				case "of another manager" -> stock::takeAndLoseElsewhere;
				case "inside the method" -> () -> stock.takeInside(new Caller(context));
				default -> () -> new Caller(context).call(() -> {
					stock.takeWithAShortLease();
					stock.loseTheLock();
				});
			};
			assertThatExceptionOfType(LockLostException.class).isThrownBy(call)
				.satisfies((ex) -> assertThat(ex.lockName()).isEqualTo("stock"));
			assertThat(stock.pieces()).isEqualTo(10);
		});
	}

	@Test
	void transactionWithoutALockIsCommitted() {
		this.runner.run((context) -> {
			new Caller(context).call(() -> stock(context).sell(1));
			assertThat(stock(context).pieces()).isEqualTo(9);
		});
	}

	private static Stock stock(AssertableApplicationContext context) {
		return context.getBean(Stock.class);
	}

	/**
	 * Return what another thread reads under the lock, or null if it does not acquire it.
	 */
	private static @Nullable Integer piecesSeenByAnother(AssertableApplicationContext context, String lock) {
		LockRequest once = LockRequest.of(lock).waitTime(Duration.ZERO);
		Integer[] seen = new Integer[1];
		CompletableFuture
			.runAsync(() -> context.getBean(LockOperations.class)
				.tryExecute(once, () -> seen[0] = stock(context).pieces()), NewThreadExecutor::run)
			.join();
		return seen[0];
	}

	/**
	 * A caller with a transaction and no lock.
	 */
	private record Caller(AssertableApplicationContext context) {

		void call(Runnable section) {
			this.context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> section.run());
		}

	}

	static class Stock {

		private final JdbcTemplate jdbc;

		private final LockOperations locks;

		Stock(JdbcTemplate jdbc, LockOperations locks) {
			this.jdbc = jdbc;
			this.locks = locks;
		}

		@DistributedLock(name = "stock")
		@Transactional
		public void take(int pieces) {
			sell(pieces);
		}

		@DistributedLock(name = "stock")
		public void fail() {
			throw new IllegalStateException("sold out");
		}

		@DistributedLock(name = "stock")
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void takeApart(int pieces) {
			take(pieces);
		}

		@DistributedLock(name = "other")
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void takeApartFromAnotherShelf() {
		}

		@DistributedLock(name = "shelf", key = "{#from, #to}")
		public void move(String from, String to) {
		}

		@Transactional
		@DistributedLock(name = "stock", leaseTime = "50ms", renew = Renew.OFF, onLost = OnLost.LOG)
		public void takeAndLose() {
			sellAndLoseTheLock();
		}

		@Transactional(transactionManager = "other")
		@DistributedLock(name = "stock", leaseTime = "50ms", renew = Renew.OFF, onLost = OnLost.LOG)
		public void takeAndLoseElsewhere() {
			sellAndLoseTheLock();
		}

		@DistributedLock(name = "stock", leaseTime = "50ms", renew = Renew.OFF, onLost = OnLost.LOG)
		public void takeInside(Caller transaction) {
			transaction.call(this::sellAndLoseTheLock);
		}

		@DistributedLock(name = "stock", leaseTime = "50ms", renew = Renew.OFF, onLost = OnLost.LOG)
		public void takeWithAShortLease() {
			sell(1);
		}

		void sell(int pieces) {
			this.jdbc.update("update stock set pieces = ?", pieces() - pieces);
		}

		private void sellAndLoseTheLock() {
			sell(1);
			loseTheLock();
		}

		void loseTheLock() {
			Awaitility.await()
				.pollInSameThread()
				.untilAsserted(() -> assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> this.locks.ensureHeld("stock")));
		}

		int pieces() {
			Integer pieces = this.jdbc.queryForObject("select pieces from stock", Integer.class);
			return (pieces != null) ? pieces : -1;
		}

	}

	static class Outer {

		private final Stock stock;

		Outer(Stock stock) {
			this.stock = stock;
		}

		@DistributedLock(name = "stock")
		@Transactional
		public void takeTwice() {
			this.stock.take(1);
			this.stock.take(1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(StockDatabase.class)
	static class Application {

		@Bean
		Outer outer(Stock stock) {
			return new Outer(stock);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherTransactions {

		@Bean
		@Primary
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		@Bean
		JdbcTransactionManager other(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

}
