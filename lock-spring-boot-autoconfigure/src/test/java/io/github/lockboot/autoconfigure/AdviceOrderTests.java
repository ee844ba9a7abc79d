package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.validation.annotation.Validated;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockRequest;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.InvalidLockAnnotationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The order of the lock and of other annotations of Spring, with method validation as
 * auto-configured by Spring Boot and transactions of a real database.
 */
class AdviceOrderTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DistributedLockAutoConfiguration.class));

	private final ApplicationContextRunner services = this.runner.withUserConfiguration(Application.class);

	private final ApplicationContextRunner transactional = this.runner
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, TransactionAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true")
		.withUserConfiguration(Database.class)
		.withBean(Stock.class);

	private final ApplicationContextRunner validating = this.runner
		.withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
		.withBean("locks", RecordingLockOperations.class, RecordingLockOperations::new)
		.withBean(Orders.class, OrderService::new);

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void asyncIsOutsideSoThatThePoolsThreadAcquiresTheLock() {
		this.services.run((context) -> {
			ThreadLocks locks = context.getBean(ThreadLocks.class);
			context.getBean(Service.class).async();
			Awaitility.await().untilAsserted(() -> assertThat(locks.events()).contains("unlock"));
			assertThat(locks.events()).containsExactly("lock", "body", "unlock");
			assertThat(locks.threads()).singleElement().isNotEqualTo(Thread.currentThread());
		});
	}

	@Test
	void retryIsOutsideSoThatEveryAttemptAcquiresTheLock() {
		this.services.run((context) -> {
			assertThat(context.getBean(Service.class).retried()).isEqualTo("done");
			assertThat(context.getBean(ThreadLocks.class).events()).containsExactly("lock", "body", "unlock", "lock",
					"body", "unlock");
		});
	}

	@Test
	void authorizationIsOutsideSoThatADeniedCallAcquiresNoLock() {
		this.services.run((context) -> {
			logIn("guest");
			Service service = context.getBean(Service.class);
			assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(service::forAdmins);
			assertThat(context.getBean(ThreadLocks.class).events()).isEmpty();
		});
	}

	@Test
	void authorizationOfTheResultRunsAfterTheLockIsReleased() {
		this.services.run((context) -> {
			logIn("guest");
			Service service = context.getBean(Service.class);
			assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(service::resultForAdmins);
			assertThat(context.getBean(ThreadLocks.class).events()).containsExactly("lock", "body", "unlock");
		});
	}

	@Test
	void springsCacheIsInsideSoThatALoadIsCachedUnderTheLock() {
		this.services.withUserConfiguration(CacheInside.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.cached("a");
			service.cached("a");
			assertThat(context.getBean(ThreadLocks.class).events()).containsExactly("lock", "body", "unlock", "lock",
					"unlock");
		});
	}

	@Test
	void springsCacheCanBeMovedOutsideSoThatAHitAcquiresNoLock() {
		this.services.withUserConfiguration(CacheOutside.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.cached("a");
			service.cached("a");
			assertThat(context.getBean(ThreadLocks.class).events()).containsExactly("lock", "body", "unlock");
		});
	}

	@Test
	void lockIsAcquiredBeforeBeginAndReleasedAfterCommit() {
		this.transactional.run((context) -> {
			context.getBean(Stock.class).take(3);
			assertThat(context.getBean(RecordingLockOperations.class).events()).containsExactly("lock", "begin", "body",
					"commit", "unlock");
		});
	}

	@Test
	void lockIsReleasedAfterRollback() {
		this.transactional.run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(Stock.class).take(11));
			assertThat(context.getBean(RecordingLockOperations.class).events()).containsExactly("lock", "begin", "body",
					"rollback", "unlock");
		});
	}

	@Test
	void transactionOutsideOfTheLockStopsTheStartWithBothOrders() {
		this.transactional.withPropertyValues("lock.aspect.order=2147483647")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("'org.springframework.transaction.config.internalTransactionAdvisor'")
				.hasMessageContaining("has the order 2147483647 and @DistributedLock the order 2147483647"));
	}

	@Test
	void transactionsThatTheUserMovesOutsideStopTheStart() {
		this.transactional.withUserConfiguration(EarlyTransactions.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("has the order 5"));
	}

	@Test
	void transactionsThatTheUserMovesOutsideWorkWithALockOutsideOfThem() {
		this.transactional.withUserConfiguration(EarlyTransactions.class)
			.withPropertyValues("lock.aspect.order=4")
			.run((context) -> {
				context.getBean(Stock.class).take(3);
				assertThat(context.getBean(RecordingLockOperations.class).events()).containsExactly("lock", "begin",
						"body", "commit", "unlock");
			});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void invalidCallAcquiresNoLock(boolean proxyTargetClass) {
		this.validating.withPropertyValues("spring.aop.proxy-target-class=" + proxyTargetClass).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> orders.pay(null, 1));
			assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> orders.pay("4711", 0));
			assertThat(context.getBean(RecordingLockOperations.class).requests()).isEmpty();
		});
	}

	@Test
	void validCallIsLockedOnce() {
		this.validating.run((context) -> {
			assertThat(context.getBean(Orders.class).pay("4711", 1)).isEqualTo("paid 4711");
			assertThat(context.getBean(RecordingLockOperations.class).names()).containsExactly("order:4711");
		});
	}

	@Test
	void exceptionOfTheMethodIsThrownUnchanged() {
		this.validating.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> orders.pay("broke", 1))
				.withMessage("no money");
		});
	}

	@Test
	void methodWithoutALockIsStillValidated() {
		this.validating.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> orders.find(null));
			assertThat(orders.find("4711")).isEqualTo("4711");
		});
	}

	@Test
	void invalidResultStillRollsTheTransactionBack() {
		this.validating.withUserConfiguration(Transactions.class).withBean(Ledger.class).run((context) -> {
			RecordingLockOperations locks = context.getBean(RecordingLockOperations.class);
			Ledger ledger = context.getBean(Ledger.class);
			assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> ledger.book(null));
			assertThat(locks.events()).containsExactly("lock", "begin", "rollback", "unlock");
		});
	}

	private static void logIn(String role) {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("someone", "", role));
	}

	static class Service {

		private final ThreadLocks locks;

		Service(ThreadLocks locks) {
			this.locks = locks;
		}

		@Async
		@DistributedLock(name = "async")
		public void async() {
			this.locks.events().add("body");
		}

		@Retryable(maxRetries = 3, delay = 1)
		@DistributedLock(name = "retried")
		public String retried() {
			this.locks.events().add("body");
			if (this.locks.threads().size() == 1) {
				throw new IllegalStateException("once more");
			}
			return "done";
		}

		@Cacheable("cached")
		@DistributedLock(name = "cached", key = "#id")
		public String cached(String id) {
			this.locks.events().add("body");
			return id;
		}

		@PreAuthorize("hasAuthority('admin')")
		@DistributedLock(name = "admins")
		public void forAdmins() {
			this.locks.events().add("body");
		}

		@PostAuthorize("hasAuthority('admin')")
		@DistributedLock(name = "admins")
		public String resultForAdmins() {
			this.locks.events().add("body");
			return "secret";
		}

	}

	static class ThreadLocks extends RecordingLockOperations {

		private final List<Thread> threads = new CopyOnWriteArrayList<>();

		List<Thread> threads() {
			return this.threads;
		}

		@Override
		public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request,
				LockCallback<T, X> section) throws X {
			this.threads.add(Thread.currentThread());
			return super.execute(request, section);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableResilientMethods
	@EnableMethodSecurity
	@Import({ ThreadLocks.class, Service.class, ConcurrentMapCacheManager.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class CacheInside {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(order = 0)
	static class CacheOutside {

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
	static class Database {

		@Bean
		RecordingTransactions transactionManager(DataSource dataSource, RecordingLockOperations locks) {
			return new RecordingTransactions(dataSource, locks.events());
		}

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
			return new RecordingTransactions(new DriverManagerDataSource("jdbc:h2:mem:"), locks.events());
		}

	}

}
