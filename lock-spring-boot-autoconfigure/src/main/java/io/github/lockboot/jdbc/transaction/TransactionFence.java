package io.github.lockboot.jdbc.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.Internal;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.jdbc.JdbcFencingGuard;
import io.github.lockboot.jdbc.JdbcLockTemplate;

/**
 * Keeps the transactions of former holders of a lock out of a database, whatever store
 * contains the lock. A transaction of a thread that holds locks begins with a statement
 * that stores the fencing tokens of these locks in a table, and is refused if the table
 * has a higher token. The row stays locked until the transaction ends. A later holder
 * therefore waits for the transaction and reads what it has written, and an earlier
 * holder that was suspended before that statement is refused. For a lock that is acquired
 * inside a transaction, the statement is executed before the section begins. Thread-safe.
 * <p>
 * An inner transaction ({@code REQUIRES_NEW}) on the same database needs no row of its
 * own: no later holder passes the row of the outer transaction, which ends last.
 *
 * @since 1.0.0
 */
@Internal
public final class TransactionFence implements BeanPostProcessor {

	/** Name of the table. */
	public static final String TABLE = "lock_fence";

	/** How long a transaction waits for the transaction of an earlier holder. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

	/**
	 * The SQL states of a missing table: in PostgreSQL and H2, and in MySQL and MariaDB.
	 */
	private static final Set<String> MISSING_TABLE = Set.of("42P01", "42S02", "42S04");

	private final List<LockTemplate> templates = new CopyOnWriteArrayList<>();

	private final Map<DataSource, Optional<JdbcFencingGuard>> guards = new ConcurrentHashMap<>();

	private final Map<DataSource, TransactionTemplate> announcements = new ConcurrentHashMap<>();

	/** The transaction of a thread, and the transactions around it. */
	private final ThreadLocal<@Nullable Fenced> newest = new ThreadLocal<>();

	private final Predicate<LockTemplate> included;

	private final Function<String, @Nullable String> keys;

	private final Predicate<DataSource> creates;

	/**
	 * Create a fence.
	 * @param included whether the transactions under the locks of a template are fenced
	 * @param keys returns the name of a lock in the table, or {@code null} if its
	 * transactions are not fenced
	 * @param creates whether to create the table in a database that does not have it
	 */
	public TransactionFence(Predicate<LockTemplate> included, Function<String, @Nullable String> keys,
			Predicate<DataSource> creates) {
		this.included = included;
		this.keys = keys;
		this.creates = creates;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager manager
				&& bean instanceof PlatformTransactionManager transactions) {
			manager.addListener(new OfManager(transactions));
		}
		if (bean instanceof LockTemplate template && this.included.test(template)) {
			this.templates.add(template);
			template.admission(this::admitInTransaction);
		}
		return bean;
	}

	/**
	 * Return whether transactions on a database are fenced: whether the database has the
	 * table.
	 * @throws DataAccessException if the database cannot be reached
	 */
	public boolean isFenced(DataSource dataSource) {
		return guard(dataSource) != null;
	}

	/**
	 * Return the database of a transaction manager, or {@code null} if the manager does
	 * not use JDBC.
	 */
	public static @Nullable DataSource dataSource(TransactionManager transactions) {
		return TransactionManagers.dataSource(transactions);
	}

	private boolean isAnyHeld() {
		return this.templates.stream().anyMatch(LockTemplate::isInSection);
	}

	private @Nullable JdbcFencingGuard guard(DataSource dataSource) {
		Optional<JdbcFencingGuard> known = this.guards.get(dataSource);
		if (known == null) {
			known = newGuard(dataSource); // not inside the map, because that would block
											// others
			this.guards.put(dataSource, known);
		}
		return known.orElse(null);
	}

	private Optional<JdbcFencingGuard> newGuard(DataSource dataSource) {
		return (hasTable(dataSource) || (this.creates.test(dataSource) && createTable(dataSource)))
				? Optional.of(new JdbcFencingGuard(dataSource, TABLE, LONGEST_WAIT)) : Optional.empty();
	}

	private static boolean hasTable(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			statement.executeQuery("SELECT token FROM " + TABLE + " WHERE 1 = 0").close();
			return true;
		}
		catch (SQLException ex) {
			if (MISSING_TABLE.contains(String.valueOf(ex.getSQLState()))) {
				return false;
			}
			throw new CannotAcquireLockException("It is unknown whether there is a table " + TABLE, ex);
		}
	}

	/** Create the table; another instance may do so at the same time. */
	private static boolean createTable(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection()) {
			String product = connection.getMetaData().getDatabaseProductName();
			String script = Set.of("MySQL", "MariaDB").contains(product) ? "fence-mysql.sql" : "fence.sql";
			ScriptUtils.executeSqlScript(connection, new ClassPathResource(script, JdbcFencingGuard.class));
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
			return true;
		}
		catch (SQLException | ScriptException ex) {
			if (hasTable(dataSource)) {
				return true;
			}
			throw new CannotAcquireLockException("The table " + TABLE + " could not be created", ex);
		}
	}

	/** Admit the holder of a lock that was acquired, perhaps inside a transaction. */
	private void admitInTransaction() {
		Fenced newest = this.newest.get();
		if (newest == null) {
			return;
		}
		Set<DataSource> admitted = new HashSet<>();
		for (Fenced each = newest; each != null; each = each.outer) {
			// others on the same database are suspended
			if (!each.transaction.isCompleted() && admitted.add(each.dataSource)) {
				each.manager.fence(each, true);
			}
		}
	}

	private @Nullable Fenced current(TransactionExecution transaction) {
		Fenced fenced = this.newest.get();
		return (fenced != null && fenced.transaction == transaction) ? fenced : null;
	}

	/** The transactions of one manager. */
	private final class OfManager implements TransactionExecutionListener {

		private final PlatformTransactionManager manager;

		private volatile @Nullable Optional<DataSource> dataSource;

		OfManager(PlatformTransactionManager manager) {
			this.manager = manager;
		}

		/**
		 * Announce tokens before the transaction has a connection, so that one connection
		 * is enough.
		 */
		@Override
		public void beforeBegin(TransactionExecution transaction) {
			DataSource dataSource = (!transaction.isReadOnly() && isAnyHeld()) ? dataSource() : null;
			JdbcFencingGuard guard = (dataSource != null) ? guard(dataSource) : null;
			if (dataSource != null && guard != null) {
				admit(Fenced.admitted(TransactionFence.this.newest.get(), dataSource), null, (key, token, shared) -> {
					if (shared) {
						announcement(dataSource).executeWithoutResult((status) -> guard.announce(key, token));
					}
				});
			}
		}

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			DataSource dataSource = dataSource();
			if (failure == null && transaction instanceof DefaultTransactionStatus status && status.isNewTransaction()
					&& !status.isReadOnly() && dataSource != null) {
				Fenced fenced = new Fenced(status, this, dataSource, Fenced.open(TransactionFence.this.newest.get()));
				TransactionFence.this.newest.set(fenced);
				try {
					fence(fenced, false);
				}
				catch (RuntimeException | Error ex) {
					ended(status);
					undo(status);
					throw ex;
				}
			}
		}

		/** Admit the holders of locks that were acquired in an inner transaction. */
		@Override
		public void beforeCommit(TransactionExecution transaction) {
			Fenced fenced = current(transaction);
			if (fenced != null) {
				fence(fenced, true);
			}
		}

		@Override
		public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
			ended(transaction);
		}

		@Override
		public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
			ended(transaction);
		}

		private void ended(TransactionExecution transaction) {
			Fenced fenced = current(transaction);
			if (fenced != null && fenced.outer == null) {
				TransactionFence.this.newest.remove();
			}
			else if (fenced != null) {
				TransactionFence.this.newest.set(fenced.outer);
			}
		}

		/**
		 * Admit the holders of the locks of the current thread.
		 * @param inside whether the transaction began before the locks were acquired:
		 * their tokens were then not announced
		 */
		private void fence(Fenced fenced, boolean inside) {
			JdbcFencingGuard guard = isAnyHeld() ? guard(fenced.dataSource) : null;
			if (guard != null && fenced.transaction.getTransaction() instanceof JdbcTransactionObjectSupport object
					&& object.hasConnectionHolder()) {
				admit(Fenced.admitted(fenced, fenced.dataSource), object.getConnectionHolder(),
						(key, token, shared) -> {
							if (shared && !inside) {
								guard.share(key, token);
							}
							else {
								guard.admit(key, token);
							}
							fenced.own.add(key);
						});
			}
		}

		private void admit(Set<String> admitted, @Nullable ConnectionHolder holder, Step step) {
			for (LockTemplate template : TransactionFence.this.templates) {
				if (template.isInSection() && !isFencedOtherwise(template, holder)) {
					template.ensureAdmitted((lock, token, shared) -> {
						String key = TransactionFence.this.keys.apply(lock);
						if (key != null && !admitted.contains(key)) {
							admit(lock, () -> step.run(key, token, shared));
						}
					});
				}
			}
		}

		private @Nullable DataSource dataSource() {
			Optional<DataSource> known = this.dataSource;
			if (known == null) {
				known = Optional.ofNullable(TransactionManagers.dataSource(this.manager));
				this.dataSource = known;
			}
			return known.orElse(null);
		}

		/**
		 * Return whether the commit fence, which is cheaper, checks a transaction because
		 * the locks are in the same database.
		 */
		private boolean isFencedOtherwise(LockTemplate template, @Nullable ConnectionHolder holder) {
			return holder != null && template instanceof JdbcLockTemplate jdbc && jdbc.mayFence(holder.getConnection());
		}

		private static void admit(String lock, Runnable step) {
			try {
				step.run();
			}
			catch (DataAccessException ex) {
				throw new CannotAcquireLockException("The fencing token of lock '" + lock
						+ "' could not be stored in the table " + TABLE
						+ ". Probably a transaction of an earlier holder has not ended in time,"
						+ " because its process is suspended: let the database end such transactions"
						+ " (https://github.com/lockboot/lock-spring-boot/blob/main/docs/fencing.md#suspended-transactions)",
						ex);
			}
		}

		private TransactionTemplate announcement(DataSource dataSource) {
			return TransactionFence.this.announcements.computeIfAbsent(dataSource, TransactionManagers::requiringNew);
		}

		/**
		 * Roll back a transaction whose begin fails, because Spring does not do this for
		 * a listener. Spring resumes the transactions that were suspended.
		 */
		private void undo(DefaultTransactionStatus status) {
			this.manager.rollback(new DefaultTransactionStatus(status.getTransactionName(), status.getTransaction(),
					true, status.isNewSynchronization(), false, false, status.isDebug(), null));
		}

	}

	/** An operation for a lock. */
	@FunctionalInterface
	private interface Step {

		void run(String key, long token, boolean shared);

	}

	/** A transaction, and the locks whose holders it has admitted. */
	private static final class Fenced {

		private final DefaultTransactionStatus transaction;

		private final OfManager manager;

		private final DataSource dataSource;

		private final @Nullable Fenced outer;

		private final Set<String> own = new HashSet<>();

		Fenced(DefaultTransactionStatus transaction, OfManager manager, DataSource dataSource, @Nullable Fenced outer) {
			this.transaction = transaction;
			this.manager = manager;
			this.dataSource = dataSource;
			this.outer = outer;
		}

		/**
		 * Return the innermost open transaction. Another thread may have ended inner
		 * transactions.
		 */
		static @Nullable Fenced open(@Nullable Fenced newest) {
			Fenced open = newest;
			while (open != null && open.transaction.isCompleted()) {
				open = open.outer;
			}
			return open;
		}

		/**
		 * Return the locks whose holders are admitted to a database until a transaction
		 * has ended.
		 */
		static Set<String> admitted(@Nullable Fenced newest, DataSource dataSource) {
			Set<String> all = new HashSet<>();
			for (Fenced each = newest; each != null; each = each.outer) {
				// a transaction that another thread has completed may be left
				if (each.dataSource == dataSource && !each.transaction.isCompleted()) {
					all.addAll(each.own);
				}
			}
			return all;
		}

	}

}
