package io.github.lockboot.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fencing.TransactionFence;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.jdbc.transaction.CommitFence;
import io.github.lockboot.jdbc.transaction.JdbcTransactionLocks;
import io.github.lockboot.local.LocalLockTemplate;
import io.github.lockboot.transaction.TransactionLocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The commit fence and the locks of a transaction in transactions of JPA, by Hibernate: a
 * changed entity is written no sooner than at the commit.
 */
@ParameterizedClass
@EnumSource(names = { "H2", "POSTGRESQL" })
@Timeout(120)
class JpaTransactionsTests {

	private final LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();

	private final DataSource dataSource;

	private final JdbcClient sql;

	private final JpaTransactionManager transactions;

	private final TransactionTemplate transaction;

	private final EntityManager entities;

	private final JdbcLockTemplate locks;

	private final JdbcLockTemplate otherLocks;

	private final LockRequest lock = LockRequest.of("jpa:" + UUID.randomUUID()).waitTime(Duration.ofSeconds(30));

	JpaTransactionsTests(TestDatabase database) {
		this.dataSource = database.dataSource();
		this.sql = JdbcClient.create(this.dataSource);
		this.sql.sql("CREATE TABLE IF NOT EXISTS stock (name VARCHAR(100) PRIMARY KEY, pieces INT NOT NULL)").update();
		this.sql.sql("INSERT INTO stock VALUES (?, 0)").param(this.lock.name()).update();
		JdbcLockSettings settings = JdbcLockSettings.defaults().withCreateTables(true);
		this.locks = new JdbcLockTemplate(this.dataSource, settings, List.of());
		this.otherLocks = new JdbcLockTemplate(this.dataSource, settings, List.of());
		EntityManagerFactory entityManagers = start(this.factory, this.dataSource);
		this.transactions = new JpaTransactionManager(entityManagers);
		this.transaction = new TransactionTemplate(this.transactions);
		this.entities = SharedEntityManagerCreator.createSharedEntityManager(entityManagers);
		CommitFence fence = new CommitFence();
		List.of(this.locks, this.otherLocks, this.transactions)
			.forEach((bean) -> fence.postProcessBeforeInitialization(bean, "bean"));
	}

	@AfterEach
	void close() {
		this.factory.destroy();
		this.locks.close();
		this.otherLocks.close();
	}

	@Test
	void aHolderThatWasOvertakenWritesNoEntity() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
				stock().pieces = 1;
				endLease();
				this.otherLocks.acquire(this.lock).close();
			})));
		assertThat(pieces()).isZero();
	}

	@Test
	void theNextHolderWaitsUntilTheEntitiesOfACommitThatHasBegunAreWritten() {
		CompletableFuture<Integer> next = new CompletableFuture<>();
		this.transactions.addListener(new TransactionExecutionListener() {

			@Override
			public void beforeCommit(TransactionExecution status) {
				next.completeAsync(() -> JpaTransactionsTests.this.otherLocks.execute(JpaTransactionsTests.this.lock,
						JpaTransactionsTests.this::pieces));
				Awaitility.await()
					.during(Duration.ofMillis(300))
					.atMost(Duration.ofSeconds(10))
					.until(() -> !next.isDone());
			}

		});
		this.locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
			stock().pieces = 1;
			endLease();
		}));
		assertThat(next.join()).isEqualTo(1);
	}

	@Test
	void aTransactionHoldsALockUntilItsCommit() {
		TransactionLocks transactionLocks = new JdbcTransactionLocks(this.locks);
		LockRequest once = this.lock.waitTime(Duration.ZERO);
		this.transaction.executeWithoutResult((status) -> {
			transactionLocks.acquire(this.lock);
			stock().pieces = 1;
			CompletableFuture<Boolean> other = CompletableFuture
				.supplyAsync(() -> this.transaction.execute((its) -> transactionLocks.tryAcquire(once)));
			assertThat(other.join()).isFalse();
		});
		assertThat(this.transaction.<Boolean>execute((status) -> transactionLocks.tryAcquire(once))).isTrue();
		assertThat(pieces()).isEqualTo(1);
	}

	@Test
	void aTransactionIsRefusedIfALaterHolderWasHere() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)")
			.update();
		this.sql.sql("INSERT INTO lock_fence VALUES (?, ?)").params(this.lock.name(), Long.MAX_VALUE).update();
		try (LocalLockTemplate elsewhere = new LocalLockTemplate(LockDefaults.defaults(), List.of())) {
			TransactionFence fence = new TransactionFence((template) -> true, (template, name) -> name,
					(dataSource) -> false);
			fence.postProcessBeforeInitialization(elsewhere, "elsewhere");
			fence.postProcessBeforeInitialization(this.transactions, "transactions");
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> elsewhere.execute(this.lock,
					() -> this.transaction.executeWithoutResult((status) -> stock().pieces = 1)));
			assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
			this.transaction.executeWithoutResult((status) -> stock().pieces = 2);
		}
		assertThat(pieces()).isEqualTo(2);
	}

	@Test
	void oneConnectionForEachTransactionIsEnoughInARequestWithAnOpenPersistenceContext() {
		DriverManagerDataSource database = (DriverManagerDataSource) this.dataSource;
		LocalContainerEntityManagerFactoryBean pooled = new LocalContainerEntityManagerFactoryBean();
		try (HikariDataSource pool = new HikariDataSource();
				LocalLockTemplate elsewhere = new LocalLockTemplate(LockDefaults.defaults(), List.of())) {
			pool.setJdbcUrl(database.getUrl());
			pool.setUsername(database.getUsername());
			pool.setPassword(database.getPassword());
			pool.setMaximumPoolSize(1);
			pool.setConnectionTimeout(1000);
			EntityManagerFactory factory = start(pooled, pool);
			JpaTransactionManager manager = new JpaTransactionManager(factory);
			TransactionFence fence = new TransactionFence((template) -> true, (template, name) -> name,
					(source) -> true);
			fence.postProcessBeforeInitialization(elsewhere, "elsewhere");
			fence.postProcessBeforeInitialization(manager, "transactions");
			assertThat(fence.isFenced(pool)).isTrue();
			TransactionTemplate reading = new TransactionTemplate(manager);
			reading.setReadOnly(true);
			try (EntityManager request = factory.createEntityManager()) {
				TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(request));
				request.find(Stock.class, this.lock.name()); // keeps the connection
				elsewhere.execute(this.lock.shared(), () -> new TransactionTemplate(manager)
					.executeWithoutResult((status) -> request.find(Stock.class, "another")));
				elsewhere.execute(this.lock,
						() -> reading.executeWithoutResult((status) -> request.find(Stock.class, "a third")));
				pool.setMaximumPoolSize(2);
				TransactionTemplate inner = new TransactionTemplate(manager);
				inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
				elsewhere.execute(this.lock,
						() -> new TransactionTemplate(manager).executeWithoutResult((outer) -> inner
							.executeWithoutResult((status) -> this.sql.sql("UPDATE stock SET pieces = 3 WHERE name = ?")
								.param(this.lock.name())
								.update())));
				assertThat(pieces()).isEqualTo(3);
			}
			finally {
				TransactionSynchronizationManager.unbindResource(factory);
			}
			assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
			assertThat(this.sql.sql("SELECT COUNT(*) FROM lock_fence WHERE name LIKE ?")
				.param(this.lock.name() + "%")
				.query(Integer.class)
				.single()).isOne();
		}
		finally {
			pooled.destroy();
		}
	}

	private static EntityManagerFactory start(LocalContainerEntityManagerFactoryBean factory, DataSource dataSource) {
		factory.setDataSource(dataSource);
		factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		factory.setManagedTypes(PersistenceManagedTypes.of(Stock.class.getName()));
		factory.setJpaPropertyMap(Map.of("jakarta.persistence.validation.mode", "none"));
		factory.afterPropertiesSet();
		return Objects.requireNonNull(factory.getObject());
	}

	private Stock stock() {
		return this.entities.find(Stock.class, this.lock.name());
	}

	/** The holder does not learn that. */
	private void endLease() {
		CompletableFuture
			.runAsync(() -> this.sql.sql("UPDATE distributed_lock SET expires_at = 0 WHERE name = ?")
				.param("lock:" + this.lock.name())
				.update())
			.join();
	}

	private int pieces() {
		return this.sql.sql("SELECT pieces FROM stock WHERE name = ?")
			.param(this.lock.name())
			.query(Integer.class)
			.single();
	}

	@Entity
	@Table(name = "stock")
	static class Stock {

		@Id
		String name = "";

		int pieces;

	}

}
