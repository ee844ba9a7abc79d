package io.github.lockboot.autoconfigure.jdbc;

import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * Changes the data source of the locks, which has no pool and is derived from the data
 * source of the application for each new connection, so that credentials may be rotated.
 * Any number of beans of this type are called, in their order. With
 * {@code lock.jdbc.data-source} there is no such data source.
 *
 * @since 1.0.0
 */
@FunctionalInterface
public interface JdbcLockDataSourceCustomizer {

	/**
	 * Change the data source, for example the user of its connections. Add to its
	 * properties instead of replacing them: they have the timeouts that the locks need.
	 * @param dataSource the data source, with the URL and the credentials of the
	 * application
	 */
	void customize(SimpleDriverDataSource dataSource);

}
