package io.github.lockboot.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.jdbc.DatabaseDialect;

/**
 * Opens connections as the data source of the application does, but outside of its pool,
 * because callers that have emptied the pool must not stop a renewal. Asks that data
 * source for its URL, user and password each time, because they may be rotated.
 */
final class UnpooledDataSource extends AbstractDataSource {

	/** The pool of most applications, which need not be present. */
	private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

	private final DataSource pooled;

	private final Consumer<SimpleDriverDataSource> customizer;

	/**
	 * Create a data source.
	 * @param pooled the data source of the application
	 * @param action what to do if it does not show how it connects
	 */
	UnpooledDataSource(DataSource pooled, Consumer<SimpleDriverDataSource> customizer, String action) {
		this.pooled = pooled;
		this.customizer = customizer;
		try {
			plain();
		}
		catch (SQLException | RuntimeException ex) {
			throw new LockSetupException(
					"The locks need connections outside of the application's pool, and the data source of type "
							+ pooled.getClass().getName() + " does not show how to open them: " + ex.getMessage(),
					action);
		}
	}

	@Override
	public Connection getConnection() throws SQLException {
		return customized().getConnection();
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return customized().getConnection(username, password);
	}

	private SimpleDriverDataSource customized() throws SQLException {
		SimpleDriverDataSource plain = plain();
		this.customizer.accept(plain);
		return plain;
	}

	private SimpleDriverDataSource plain() throws SQLException {
		SimpleDriverDataSource plain = DataSourceBuilder.derivedFrom(this.pooled)
			.type(SimpleDriverDataSource.class)
			.build();
		String url = plain.getUrl();
		Assert.state(url != null, "it has no JDBC URL, as with a dataSourceClassName");
		if (plain.getDriver() == null) { // of a kind that Spring Boot does not know
			plain.setDriver(DriverManager.getDriver(url));
		}
		plain.setConnectionProperties(DatabaseDialect.connectionProperties(url));
		ClassLoader loader = getClass().getClassLoader();
		if (ClassUtils.isPresent(HIKARI, loader)) {
			provideCredentials(plain,
					DataSourceUnwrapper.unwrap(this.pooled, ClassUtils.resolveClassName(HIKARI, loader)));
		}
		return plain;
	}

	/**
	 * Use what the pool asks for credentials. Earlier versions lack these properties.
	 */
	private static void provideCredentials(SimpleDriverDataSource plain, @Nullable Object pool) {
		if (pool == null) {
			return;
		}
		BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(pool);
		for (String property : List.of("credentials", "credentialsProvider.credentials")) {
			if (properties.isReadableProperty(property)) {
				plain.setUsername(text(properties, property + ".username"));
				plain.setPassword(text(properties, property + ".password"));
			}
		}
	}

	private static @Nullable String text(BeanWrapper properties, String property) {
		return (String) properties.getPropertyValue(property);
	}

}
