package io.github.lockboot.autoconfigure.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.annotation.LockMode;
import io.github.lockboot.annotation.LockScope;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.transaction.TransactionLocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Annotated methods whose transaction holds the lock.
 */
class TransactionScopeTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				DistributedLockAutoConfiguration.class, JdbcLockAutoConfiguration.class,
				LocalLockAutoConfiguration.class))
		.withPropertyValues("lock.backend=jdbc", "spring.datasource.generate-unique-name=true");

	@ParameterizedTest
	@ValueSource(classes = { BootsTransactionManagement.class, OwnTransactionManagement.class })
	void theTransactionOfTheMethodHoldsTheLock(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration).withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.payInItsOwnTransaction("4711")).isFalse();
			assertThat(orders.isFree("order:4711")).isTrue();
		});
	}

	@Test
	void theTransactionOfTheCallerHoldsTheLockUntilItsEnd() {
		this.runner.withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				orders.pay("4711");
				assertThat(orders.isFree("order:4711")).isFalse();
			});
			assertThat(orders.isFree("order:4711")).isTrue();
		});
	}

	@Test
	void aCallWithoutATransactionIsRefused() {
		this.runner.withBean(Orders.class)
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(Orders.class).pay("4711"))
				.withMessageContaining(
						"Lock 'order:4711' is held by a transaction, and the current thread has no transaction"));
	}

	@Test
	void aCallThatNeedsNoLockNeedsNoTransaction() {
		this.runner.withBean(Orders.class).run((context) -> context.getBean(Orders.class).pay(""));
	}

	@Test
	void aBusyLockIsSkippedOrThrown() {
		this.runner.withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				orders.pay("4711");
				assertThat(inAnotherThread(() -> orders.payIfFree("4711"))).isEmpty();
				assertThat(inAnotherThread(() -> catchBusy(orders))).isPresent();
			});
		});
	}

	private static Optional<String> catchBusy(Orders orders) {
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> orders.payInItsOwnTransaction("4711"));
		return Optional.of("busy");
	}

	private static <T> T inAnotherThread(Supplier<T> call) {
		return CompletableFuture.supplyAsync(call, NewThreadExecutor::run).join();
	}

	@Test
	void whatTransactionsDoNotHaveStopsTheStart() {
		this.runner.withBean(Invalid.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining(
						"whose locks have no lease, one holder and no order: remove leaseTime, mode, fair")
				.hasMessageContaining("it returns a CompletableFuture, whose work may not be done")
				.hasMessageContaining("have the same name 'both' and different scopes"));
	}

	@Test
	void anotherBackendStopsTheStart() {
		this.runner.withPropertyValues("lock.backend=local")
			.withBean(Orders.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("its scope is TRANSACTION, which needs locks in the database of the transaction:"
						+ " set lock.backend=jdbc"));
	}

	@Configuration(proxyBeanMethods = false)
	static class BootsTransactionManagement {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class OwnTransactionManagement {

	}

	static class Orders {

		private final BeanFactory beans;

		Orders(BeanFactory beans) {
			this.beans = beans;
		}

		/** Return whether another transaction could acquire the lock meanwhile. */
		@Transactional
		@DistributedLock(name = "order", key = "#id", scope = LockScope.TRANSACTION, waitTime = "0")
		public boolean payInItsOwnTransaction(String id) {
			return isFree("order:" + id);
		}

		@DistributedLock(name = "order", key = "#id", scope = LockScope.TRANSACTION, condition = "#id != ''")
		public void pay(String id) {
		}

		@Transactional
		@DistributedLock(name = "order", key = "#id", scope = LockScope.TRANSACTION, waitTime = "0",
				onNotAcquired = OnNotAcquired.SKIP)
		public Optional<String> payIfFree(String id) {
			return Optional.of(id);
		}

		boolean isFree(String lock) {
			return inAnotherThread(() -> Boolean.TRUE.equals(this.beans.getBean(TransactionTemplate.class)
				.execute((status) -> this.beans.getBean(TransactionLocks.class)
					.tryAcquire(LockRequest.of(lock).waitTime(Duration.ZERO)))));
		}

	}

	static class Invalid {

		@DistributedLock(scope = LockScope.TRANSACTION, leaseTime = "1s", fair = true, mode = LockMode.SHARED)
		public void leased() {
		}

		@DistributedLock(scope = LockScope.TRANSACTION)
		public CompletableFuture<String> asynchronous() {
			return new CompletableFuture<>();
		}

		@DistributedLock(name = "both", scope = LockScope.TRANSACTION)
		public void ofTransaction() {
		}

		@DistributedLock(name = "both")
		public void ofCall() {
		}

	}

}
