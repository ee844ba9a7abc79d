package io.github.lockboot.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A deliberate defect of the statements of locks in a database.
 */
enum StatementFlaw {

	ACQUIRES_HELD_LOCKS("leases are valid at once|A lease ends after its key expires", " AND expires_at <= ",
			" AND 0 <= "),

	RELEASES_LOCKS_OF_OTHERS("leases are valid at once", " AND owner = ? AND expires_at",
			" AND (owner = ? OR 0 = 0) AND expires_at"),

	GRANTS_ONE_PERMIT_TOO_MANY("leases are valid at once", "COUNT(CASE WHEN owner <> ? THEN 1 END)",
			"COUNT(CASE WHEN owner <> ? THEN 1 END) - 1"),

	EXPIRES_TOO_EARLY("A lease ends after its key expires", " + ?, owner = ?", " + ? / 2, owner = ?");

	/** System property that sets it. */
	static final String PROPERTY = "lockboot.faults.statement-flaw";

	private final String violation;

	private final String original;

	private final String broken;

	StatementFlaw(String violation, String original, String broken) {
		this.violation = violation;
		this.original = original;
		this.broken = broken;
	}

	/**
	 * Return the violation that the suite has to report.
	 * @return a regular expression
	 */
	String violation() {
		return this.violation;
	}

	/**
	 * Add the flaw of this JVM to connections.
	 * @param dataSource opens connections
	 * @return the data source, whose statements have the flaw if there is one
	 */
	static DataSource addTo(DataSource dataSource) {
		String name = System.getProperty(PROPERTY);
		return (name != null) ? valueOf(name).wrap(dataSource) : dataSource;
	}

	private DataSource wrap(DataSource dataSource) {
		return new DelegatingDataSource(dataSource) {

			@Override
			public Connection getConnection() throws SQLException {
				return wrap(super.getConnection());
			}

		};
	}

	private Connection wrap(Connection connection) {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, args) -> {
					if (method.getName().equals("prepareStatement")) {
						args[0] = String.valueOf(args[0]).replace(this.original, this.broken);
					}
					try {
						return method.invoke(connection, args);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
