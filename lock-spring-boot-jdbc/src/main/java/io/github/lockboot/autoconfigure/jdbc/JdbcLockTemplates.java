package io.github.lockboot.autoconfigure.jdbc;

import javax.sql.DataSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.jdbc.JdbcLockSettings;
import io.github.lockboot.jdbc.JdbcLockTemplate;

/**
 * Creates additional templates of an application that lock in a database, beside the
 * template of {@code lock.backend}. These templates have the same properties under
 * {@code lock} and the same {@link LockListener} beans. Declare the templates as beans
 * with {@code defaultCandidate = false}.
 *
 * @since 1.0.0
 */
public final class JdbcLockTemplates {

	private JdbcLockTemplates() {
	}

	/**
	 * Lock in a database.
	 * @param beans the beans of the application, including an auto-configuration of the
	 * locks
	 * @param dataSource opens connections; must not be the pool of the application
	 * @return locks with the properties under {@code lock.jdbc}
	 * @throws LockUnavailableException if the database cannot be reached, is not
	 * supported, is read-only, or has no valid tables
	 */
	public static JdbcLockTemplate create(BeanFactory beans, DataSource dataSource) {
		LockProperties properties = beans.getBean(LockProperties.class);
		Environment environment = beans.getBean(Environment.class);
		JdbcLockProperties jdbc = JdbcLockProperties.bind(Binder.get(environment));
		JdbcLockSettings settings = new JdbcLockSettings(properties.keyPrefix(), properties.defaults(environment),
				jdbc.table(), jdbc.statementTimeout(), jdbc.initializeSchema().isWanted(dataSource), jdbc.strategy());
		return new JdbcLockTemplate(dataSource, settings,
				beans.getBeanProvider(LockListener.class).orderedStream().toList());
	}

}
