package io.github.lockboot.autoconfigure.fencing;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import reactor.core.publisher.Mono;

import io.github.lockboot.LockLostException;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.autoconfigure.LockRunners;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fencing.TransactionFence;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * The fence of an application with locks in Redis and data in a database.
 */
@RedisTest
class TransactionFenceAutoConfigurationTests {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	private final DataSource dataSource = new DriverManagerDataSource(this.url, "sa", "");

	private final JdbcClient sql = JdbcClient.create(this.dataSource);

	private final ApplicationContextRunner runner;

	TransactionFenceAutoConfigurationTests(RedisServer redis) {
		this.runner = LockRunners.redis(redis, TransactionFenceAutoConfiguration.class)
			.withBean(DataSource.class, () -> this.dataSource)
			.withUserConfiguration(Application.class)
			// a busy machine must not trip the breaker
			.withPropertyValues("spring.data.redis.url=" + redis.uri(), "lock.redis.command-timeout=5s");
	}

	@Test
	void aLockedMethodIsRefusedAfterALaterHolderIfTheTableExists() {
		createTable();
		this.runner.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.pay("1");
			assertThat(this.sql.sql("SELECT name FROM lock_fence").query(String.class).list())
				.containsExactly("lock:order:1");
			this.sql.sql("UPDATE lock_fence SET token = ?").param(Long.MAX_VALUE).update();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> orders.pay("1"));
			assertThat(orders.calls()).isOne();
		});
	}

	@Test
	void nothingIsFencedWithoutTheTable() {
		this.runner.run((context) -> assertThatNoException().isThrownBy(() -> context.getBean(Orders.class).pay("1")));
	}

	/** YAML reads {@code off} as {@code false}. */
	@ParameterizedTest
	@CsvSource({ "lock.fence=false, false", "lock.locks.order.fence=off, true" })
	void nothingIsFencedIfThatIsOffForAllOrForAName(String property, boolean others) {
		createTable();
		this.runner.withPropertyValues(property).run((context) -> {
			assertThat(context.getBeansOfType(TransactionFence.class)).hasSize(others ? 1 : 0);
			context.getBean(Orders.class).pay("1");
			assertThat(this.sql.sql("SELECT COUNT(*) FROM lock_fence").query(Integer.class).single()).isZero();
		});
	}

	@Test
	void aRequiredFenceStopsTheStartWithoutTheTable() {
		this.runner.withPropertyValues("lock.fence=required")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(LockSetupException.class)
				.hasMessageContaining("the database of 'transactionManager' has no table lock_fence"));
		createTable();
		this.runner.withPropertyValues("lock.fence=required").run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theTableIsCreatedIfThatIsWanted() {
		this.runner.withPropertyValues("lock.fence=required", "lock.fence-initialize-schema=embedded")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				context.getBean(Orders.class).pay("1");
				assertThat(this.sql.sql("SELECT name FROM lock_fence").query(String.class).list())
					.containsExactly("lock:order:1");
			});
	}

	@Test
	void theStartFailsIfTheTableCantBeCreated() {
		this.sql.sql("CREATE USER reader PASSWORD ''").update();
		this.runner
			.withBean("restricted", PlatformTransactionManager.class,
					() -> new JdbcTransactionManager(new DriverManagerDataSource(this.url, "reader", "")))
			.withPropertyValues("lock.fence-initialize-schema=always")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(LockSetupException.class)
				.hasMessageContaining("can't use the database of 'restricted'"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			messages | is of io.github.lockboot.autoconfigure.fencing.TransactionFenceAutoConfigurationTests$OfMessages
			permits  | is under a semaphore, whose holders do not exclude each other
			stage    | because the method returns a stage
			mono     | because the method returns a publisher
			without  | does not exist, because of its propagation
			silent   | which does not tell listeners of its transactions
			""")
	void aRequiredFenceStopsTheStartForAMethodThatIsNotFenced(String method, String reason) {
		createTable();
		this.runner.withPropertyValues("lock.fence=required")
			.withBean("messages", PlatformTransactionManager.class, OfMessages::new)
			.withBean("silent", PlatformTransactionManager.class, () -> new Silent(this.dataSource))
			.withBean(Unfenced.class)
			.withPropertyValues(Stream.of("messages", "permits", "stage", "mono", "without", "silent")
				.filter((other) -> !other.equals(method))
				.map((other) -> "lock.locks." + other + ".fence=off")
				.toArray(String[]::new))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(LockSetupException.class)
				.hasMessageContainingAll("Unfenced." + method, reason));
	}

	@Test
	void aRequiredFenceAllowsOtherTransactionsWithoutALock() {
		createTable();
		this.runner.withPropertyValues("lock.fence=required")
			.withBean("messages", PlatformTransactionManager.class, OfMessages::new)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aLockOfTheSameNameInAnotherTemplateHasARowOfItsOwn(CapturedOutput output) {
		createTable();
		this.runner.withUserConfiguration(TwoTemplates.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getBean("oldLocks", LockTemplate.class).execute("order:1", () -> orders.pay("1"));
			assertThat(this.sql.sql("SELECT name FROM lock_fence").query(String.class).list())
				.containsExactlyInAnyOrder("lock:order:1", "oldLocks/lock:order:1");
			assertThat(output).containsOnlyOnce("begin with 'oldLocks/'").doesNotContain("begin with ''");
		});
	}

	private void createTable() {
		this.sql.sql("CREATE TABLE lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)").update();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	@Import(Orders.class)
	static class Application {

		@Bean
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoTemplates {

		@Bean
		@Primary
		RedisLockTemplate newLocks(RedisConnectionFactory factory) {
			return new RedisLockTemplate(factory, RedisLockSettings.defaults(), List.of());
		}

		@Bean
		RedisLockTemplate oldLocks(RedisConnectionFactory factory) {
			return new RedisLockTemplate(factory, RedisLockSettings.defaults().withKeyPrefix("old:"), List.of());
		}

	}

	static class Orders {

		private int calls;

		public int calls() {
			return this.calls;
		}

		@DistributedLock(name = "order", key = "#id")
		@Transactional("transactionManager")
		public void pay(String id) {
			this.calls++;
		}

	}

	static class Unfenced {

		@DistributedLock(name = "messages")
		@Transactional("messages")
		public void messages() {
		}

		@DistributedSemaphore(name = "permits", permits = "3")
		@Transactional("transactionManager")
		public void permits() {
		}

		@DistributedLock(name = "stage")
		@Transactional("transactionManager")
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("");
		}

		@DistributedLock(name = "without")
		@Transactional(value = "transactionManager", propagation = Propagation.NOT_SUPPORTED)
		public void without() {
		}

		@DistributedLock(name = "silent")
		@Transactional("silent")
		public void silent() {
		}

		@DistributedLock(name = "mono")
		@Transactional("transactionManager")
		public Mono<String> mono() {
			return Mono.empty();
		}

	}

	/** A user's own around another one. */
	static class Silent implements PlatformTransactionManager {

		private final JdbcTransactionManager actual;

		Silent(DataSource dataSource) {
			this.actual = new JdbcTransactionManager(dataSource);
		}

		public DataSource getDataSource() {
			return Objects.requireNonNull(this.actual.getDataSource());
		}

		@Override
		public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
			return this.actual.getTransaction(definition);
		}

		@Override
		public void commit(TransactionStatus status) {
			this.actual.commit(status);
		}

		@Override
		public void rollback(TransactionStatus status) {
			this.actual.rollback(status);
		}

	}

	/** Transactions of no database. */
	@SuppressWarnings("serial")
	static class OfMessages extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
