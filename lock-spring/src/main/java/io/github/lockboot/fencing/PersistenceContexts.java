package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.SQLException;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHandle;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The persistence contexts that are open before a transaction. Loaded only where Spring's
 * JPA is present.
 */
final class PersistenceContexts {

	private PersistenceContexts() {
	}

	/**
	 * Return the connection of the one that the next transaction of a manager uses,
	 * {@code null} if there is none.
	 */
	static @Nullable Connection connection(TransactionManager transactions) {
		if (!(transactions instanceof JpaTransactionManager jpa)) {
			return null;
		}
		EntityManagerFactory factory = jpa.getEntityManagerFactory();
		EntityManagerHolder holder = (factory != null
				&& TransactionSynchronizationManager.getResource(factory) instanceof EntityManagerHolder present)
						? present : null;
		return (holder != null) ? connection(jpa, holder.getEntityManager()) : null;
	}

	private static @Nullable Connection connection(JpaTransactionManager jpa, EntityManager entities) {
		try {
			ConnectionHandle handle = jpa.getJpaDialect().getJdbcConnection(entities, false);
			return (handle != null) ? handle.getConnection() : null;
		}
		catch (PersistenceException | SQLException ex) {
			return null; // the transaction will find out
		}
	}

}
