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
import jakarta.persistence.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.support.OpenEntityManagerInViewInterceptor;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.result.MockMvcResultMatchers;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.handler.WebRequestHandlerInterceptorAdapter;

import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

	private final ApplicationContextRunner runner = LockRunners.local()
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

	@Test
	void aVersionColumnRefusesTheOldValuesInstead(CapturedOutput output) {
		this.sql
			.sql("CREATE TABLE versioned (name VARCHAR(100) PRIMARY KEY, pieces INT NOT NULL, version INT NOT NULL)")
			.update();
		this.sql.sql("INSERT INTO versioned VALUES ('pen', 1, 0)").update();
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			inRequest(context.getBean(EntityManagerFactory.class), (request) -> {
				request.find(VersionedItem.class, "pen");
				this.sql.sql("UPDATE versioned SET pieces = 42, version = 1").update();
				assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(shop::addVersioned);
			});
			assertThat(this.sql.sql("SELECT pieces FROM versioned").query(Integer.class).single()).isEqualTo(42);
			assertThat(output).containsOnlyOnce(WARNING).contains("Shop.addVersioned()");
		});
	}

	/** In a controller, with the interceptor of open-in-view. */
	private static void inRequest(EntityManagerFactory factory, Consumer<EntityManager> request) throws Exception {
		OpenEntityManagerInViewInterceptor view = new OpenEntityManagerInViewInterceptor();
		view.setEntityManagerFactory(factory);
		EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
		MockMvcBuilders.standaloneSetup(new Requests(() -> request.accept(entities)))
			.addInterceptors(new WebRequestHandlerInterceptorAdapter(view))
			.build()
			.perform(MockMvcRequestBuilders.get("/"))
			.andExpect(MockMvcResultMatchers.status().isOk());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Application {

		@Bean
		LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
			LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
			factory.setDataSource(dataSource);
			factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
			factory.setManagedTypes(PersistenceManagedTypes.of(Item.class.getName(), VersionedItem.class.getName()));
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

	@RestController
	record Requests(Runnable request) {

		@GetMapping("/")
		public String handle() {
			this.request.run();
			return "done";
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

		@DistributedLock(name = "versioned")
		@Transactional
		public void addVersioned() {
			this.entities.find(VersionedItem.class, "pen").pieces++;
		}

	}

	@Entity
	@Table(name = "stock")
	static class Item {

		@Id
		String name = "";

		int pieces;

	}

	@Entity
	@Table(name = "versioned")
	static class VersionedItem {

		@Id
		String name = "";

		int pieces;

		@Version
		int version;

	}

}
