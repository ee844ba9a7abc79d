package io.github.lockboot.autoconfigure;

import javax.sql.DataSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A table with a stock of ten pieces.
 */
@Configuration(proxyBeanMethods = false)
class StockDatabase {

	@Bean
	JdbcTemplate jdbc(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("create table stock (pieces int)");
		jdbc.update("insert into stock values (10)");
		return jdbc;
	}

}
