package io.github.lockboot.autoconfigure;

import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.validation.annotation.Validated;

import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The lock and method validation as auto-configured by Spring Boot.
 */
class ValidationOrderTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, ValidationAutoConfiguration.class,
				DistributedLockAutoConfiguration.class))
		.withBean("locks", RecordingLockOperations.class, RecordingLockOperations::new);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void invalidCallAcquiresNoLock(boolean proxyTargetClass) {
		this.runner.withBean(Orders.class, OrderService::new)
			.withPropertyValues("spring.aop.proxy-target-class=" + proxyTargetClass)
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> orders.pay(null, 1));
				assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> orders.pay("4711", 0));
				assertThat(context.getBean(RecordingLockOperations.class).requests()).isEmpty();
			});
	}

	@Test
	void validCallIsLockedOnce() {
		this.runner.withBean(Orders.class, OrderService::new).run((context) -> {
			assertThat(context.getBean(Orders.class).pay("4711", 1)).isEqualTo("paid 4711");
			assertThat(context.getBean(RecordingLockOperations.class).names()).containsExactly("order:4711");
		});
	}

	@Test
	void exceptionOfTheMethodIsThrownUnchanged() {
		this.runner.withBean(Orders.class, OrderService::new).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> orders.pay("broke", 1))
				.withMessage("no money");
		});
	}

	@Test
	void methodWithoutALockIsStillValidated() {
		this.runner.withBean(Orders.class, OrderService::new).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> orders.find(null));
			assertThat(orders.find("4711")).isEqualTo("4711");
		});
	}

	@Test
	void invalidResultStillRollsTheTransactionBack() {
		this.runner.withUserConfiguration(Transactions.class).withBean(Ledger.class).run((context) -> {
			RecordingLockOperations locks = context.getBean(RecordingLockOperations.class);
			Ledger ledger = context.getBean(Ledger.class);
			assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> ledger.book(null));
			assertThat(locks.events()).containsExactly("lock", "begin", "rollback", "unlock");
		});
	}

	interface Orders {

		String pay(@NotNull @Nullable String order, @Positive long cents);

		String find(@NotNull @Nullable String order);

	}

	@Validated
	static class OrderService implements Orders {

		@Override
		@DistributedLock(name = "order", key = "#order")
		public String pay(@Nullable String order, long cents) {
			if ("broke".equals(order)) {
				throw new IllegalStateException("no money");
			}
			return "paid " + order;
		}

		@Override
		public String find(@Nullable String order) {
			return String.valueOf(order);
		}

	}

	@Validated
	static class Ledger {

		@Transactional
		@DistributedLock(name = "ledger")
		public @NotNull @Nullable String book(@Nullable String result) {
			return result;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		PlatformTransactionManager transactionManager(RecordingLockOperations locks) {
			return new LockedTransactionTests.RecordingTransactions(new DriverManagerDataSource("jdbc:h2:mem:"),
					locks.events());
		}

	}

}
