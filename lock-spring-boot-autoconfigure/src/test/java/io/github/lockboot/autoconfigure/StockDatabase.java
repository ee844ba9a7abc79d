package io.github.lockboot.autoconfigure;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A table with a stock of ten pieces.
 */
@Configuration(proxyBeanMethods = false)
class StockDatabase {

	/** Return a runner of applications with locks in memory and transactions. */
	static ApplicationContextRunner runner(Class<?> application) {
		return LockRunners
			.local(DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
					TransactionAutoConfiguration.class)
			.withPropertyValues("spring.datasource.generate-unique-name=true")
			.withUserConfiguration(application);
	}

	@Bean
	JdbcTemplate jdbc(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("create table stock (pieces int)");
		jdbc.update("insert into stock values (10)");
		return jdbc;
	}

}
