package io.github.lockboot.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
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
class JpaTransactionsTests extends TwoInstancesOnADatabase {

	private final LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();

	private final JpaTransactionManager jpa;

	private final TransactionTemplate jpaTransaction;

	private final EntityManager entities;

	private final LockRequest lock = this.once.waitTime(Duration.ofSeconds(30));

	JpaTransactionsTests(TestDatabase database) {
		super(database);
		EntityManagerFactory entityManagers = start(this.factory, this.dataSource);
		this.jpa = new JpaTransactionManager(entityManagers);
		this.jpaTransaction = new TransactionTemplate(this.jpa);
		this.entities = SharedEntityManagerCreator.createSharedEntityManager(entityManagers);
		CommitFence fence = new CommitFence();
		List.of(this.locks, this.otherLocks, this.jpa)
			.forEach((bean) -> fence.postProcessBeforeInitialization(bean, "bean"));
	}

	@AfterEach
	void closeFactory() {
		this.factory.destroy();
	}

	@Test
	void aHolderThatWasOvertakenWritesNoEntity() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(this.lock, () -> this.jpaTransaction.executeWithoutResult((status) -> {
				entity().value = 1;
				endLease();
				this.otherLocks.acquire(this.lock).close();
			})));
		assertThat(counter()).isZero();
	}

	@Test
	void theNextHolderWaitsUntilTheEntitiesOfACommitThatHasBegunAreWritten() {
		CompletableFuture<Integer> next = new CompletableFuture<>();
		this.jpa.addListener(new TransactionExecutionListener() {

			@Override
			public void beforeCommit(TransactionExecution status) {
				next.completeAsync(() -> JpaTransactionsTests.this.otherLocks.execute(JpaTransactionsTests.this.lock,
						JpaTransactionsTests.this::counter));
				Awaitility.await()
					.during(Duration.ofMillis(300))
					.atMost(Duration.ofSeconds(10))
					.until(() -> !next.isDone());
			}

		});
		this.locks.execute(this.lock, () -> this.jpaTransaction.executeWithoutResult((status) -> {
			entity().value = 1;
			endLease();
		}));
		assertThat(next.join()).isEqualTo(1);
	}

	@Test
	void aTransactionHoldsALockUntilItsCommit() {
		TransactionLocks transactionLocks = new JdbcTransactionLocks(this.locks);
		this.jpaTransaction.executeWithoutResult((status) -> {
			transactionLocks.acquire(this.lock);
			entity().value = 1;
			CompletableFuture<Boolean> other = CompletableFuture
				.supplyAsync(() -> this.jpaTransaction.execute((its) -> transactionLocks.tryAcquire(this.once)));
			assertThat(other.join()).isFalse();
		});
		assertThat(this.jpaTransaction.<Boolean>execute((status) -> transactionLocks.tryAcquire(this.once))).isTrue();
		assertThat(counter()).isEqualTo(1);
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
			fence.postProcessBeforeInitialization(this.jpa, "transactions");
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> elsewhere.execute(this.lock,
					() -> this.jpaTransaction.executeWithoutResult((status) -> entity().value = 1)));
			assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
			this.jpaTransaction.executeWithoutResult((status) -> entity().value = 2);
		}
		assertThat(counter()).isEqualTo(2);
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
				request.find(Counter.class, this.lock.name()); // keeps the connection
				elsewhere.execute(this.lock.shared(), () -> new TransactionTemplate(manager)
					.executeWithoutResult((status) -> request.find(Counter.class, "another")));
				elsewhere.execute(this.lock,
						() -> reading.executeWithoutResult((status) -> request.find(Counter.class, "a third")));
				pool.setMaximumPoolSize(2);
				TransactionTemplate inner = new TransactionTemplate(manager);
				inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
				elsewhere.execute(this.lock, () -> new TransactionTemplate(manager)
					.executeWithoutResult((outer) -> inner.executeWithoutResult((status) -> write(3))));
				assertThat(counter()).isEqualTo(3);
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
		factory.setManagedTypes(PersistenceManagedTypes.of(Counter.class.getName()));
		factory.setJpaPropertyMap(Map.of("jakarta.persistence.validation.mode", "none"));
		factory.afterPropertiesSet();
		return Objects.requireNonNull(factory.getObject());
	}

	private Counter entity() {
		return this.entities.find(Counter.class, this.lock.name());
	}

	@Entity
	@Table(name = "counter")
	static class Counter {

		@Id
		String name = "";

		@Column(name = "value_")
		int value;

	}

}
