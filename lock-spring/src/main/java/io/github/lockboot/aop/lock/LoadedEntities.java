package io.github.lockboot.aop.lock;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.hibernate.Session;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Warns of locks that are acquired after entities were loaded, for example in a request
 * with {@code spring.jpa.open-in-view}: the section gets the same objects from the
 * persistence context, with their state before the lock, and writes old values back.
 * Loaded only where Spring's JPA and Hibernate are present. Thread-safe.
 */
final class LoadedEntities {

	private static final Log logger = LogFactory.getLog(LoadedEntities.class);

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/** Warn once for each method, when its lock was just acquired. */
	void warn(String method) {
		if (!this.warned.contains(method) && areAny() && this.warned.add(method)) {
			logger.warn(method + " has acquired its lock while a persistence context contains entities that were loaded"
					+ " before: the method sees the old state of these entities and may write old"
					+ " values back. Set spring.jpa.open-in-view=false,"
					+ " load entities only inside the locked method, or refresh the entities there");
		}
	}

	private static boolean areAny() {
		return TransactionSynchronizationManager.getResourceMap()
			.values()
			.stream()
			.anyMatch(
					(resource) -> resource instanceof EntityManagerHolder holder && isAnyIn(holder.getEntityManager()));
	}

	private static boolean isAnyIn(EntityManager entities) {
		try {
			return entities.isOpen() && entities.unwrap(Session.class).getStatistics().getEntityCount() > 0;
		}
		catch (PersistenceException ex) {
			return false; // not a session of Hibernate
		}
	}

}
