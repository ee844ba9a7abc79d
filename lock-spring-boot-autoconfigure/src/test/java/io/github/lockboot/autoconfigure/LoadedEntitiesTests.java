package io.github.lockboot.autoconfigure;

import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import javax.sql.DataSource;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Entities that a request has loaded before it calls a locked method, as Spring Boot lets
 * it by default.
 */
@ExtendWith(OutputCaptureExtension.class)
class LoadedEntitiesTests {

	private static final String WARNING = "has acquired its lock while a persistence context contains entities";

	private final DataSource dataSource = new DriverManagerDataSource(
			"jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

	private final JdbcClient sql = JdbcClient.create(this.dataSource);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class))
		.withPropertyValues("lock.backend=local")
		.withBean(DataSource.class, () -> this.dataSource)
		.withUserConfiguration(Application.class);

	LoadedEntitiesTests() {
		this.sql.sql("CREATE TABLE stock (name VARCHAR(100) PRIMARY KEY, pieces INT NOT NULL)").update();
		this.sql.sql("INSERT INTO stock VALUES ('pen', 1)").update();
	}

	@Test
	void aRequestThatHasLoadedThemWritesOldValuesBackAndIsWarnedOnce(CapturedOutput output) {
		this.runner.run((context) -> {
			inRequest(context.getBean(EntityManagerFactory.class), (request) -> {
				request.find(Item.class, "pen");
				this.sql.sql("UPDATE stock SET pieces = 42").update();
				context.getBean(Shop.class).add();
				context.getBean(Shop.class).add();
			});
			assertThat(this.sql.sql("SELECT pieces FROM stock").query(Integer.class).single()).isEqualTo(3);
			assertThat(output).containsOnlyOnce(WARNING).contains("Shop.add()", "spring.jpa.open-in-view=false");
		});
	}

	@Test
	void aRequestThatLoadsThemInTheMethodIsNotWarned(CapturedOutput output) {
		this.runner.run((context) -> {
			inRequest(context.getBean(EntityManagerFactory.class), (request) -> {
				this.sql.sql("UPDATE stock SET pieces = 42").update();
				context.getBean(Shop.class).add();
			});
			assertThat(this.sql.sql("SELECT pieces FROM stock").query(Integer.class).single()).isEqualTo(43);
			assertThat(output).doesNotContain(WARNING);
		});
	}

	/** As the interceptor of open-in-view does. */
	private static void inRequest(EntityManagerFactory factory, Consumer<EntityManager> request) {
		try (EntityManager entities = factory.createEntityManager()) {
			TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(entities));
			request.accept(entities);
		}
		finally {
			TransactionSynchronizationManager.unbindResource(factory);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Application {

		@Bean
		LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
			LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
			factory.setDataSource(dataSource);
			factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
			factory.setManagedTypes(PersistenceManagedTypes.of(Item.class.getName()));
			factory.setJpaPropertyMap(Map.of("jakarta.persistence.validation.mode", "none"));
			return factory;
		}

		@Bean
		JpaTransactionManager transactionManager(EntityManagerFactory factory) {
			return new JpaTransactionManager(factory);
		}

		@Bean
		Shop shop(EntityManagerFactory factory) {
			return new Shop(SharedEntityManagerCreator.createSharedEntityManager(factory));
		}

	}

	static class Shop {

		private final EntityManager entities;

		Shop(EntityManager entities) {
			this.entities = entities;
		}

		@DistributedLock(name = "stock")
		@Transactional
		public void add() {
			this.entities.find(Item.class, "pen").pieces++;
		}

	}

	@Entity
	@Table(name = "stock")
	static class Item {

		@Id
		String name = "";

		int pieces;

	}

}
