package io.github.lockboot.fencing;

import java.sql.Connection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.lockboot.Internal;
import io.github.lockboot.engine.LockTemplate;

/**
 * Keeps the transactions of former holders of a lock out of a database, whatever store
 * contains the lock. A transaction of a thread that holds locks begins with a statement
 * that stores the fencing tokens of these locks in a table, and is refused if the table
 * has a higher token. The row stays locked until the transaction ends. A later holder
 * therefore waits for the transaction and reads what it has written, and an earlier
 * holder that was suspended before that statement is refused. For a lock that is acquired
 * inside a transaction, the statement is executed before the section begins. Before a
 * read-only transaction, a short transaction stores the tokens. Thread-safe.
 * <p>
 * An inner transaction ({@code REQUIRES_NEW}) on the same database needs no row of its
 * own: no later holder passes the row of the outer transaction, which ends last.
 */
@Internal
public final class TransactionFence implements BeanPostProcessor {

	public static final String TABLE = FenceTable.NAME;

	private static final Log logger = LogFactory.getLog(TransactionFence.class);

	/** So long it is believed that a database has no table. */
	private static final long ABSENT_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final List<LockTemplate> templates = new CopyOnWriteArrayList<>();

	private final Map<DataSource, Found> tables = new ConcurrentHashMap<>();

	private final Set<TransactionManager> managers = ConcurrentHashMap.newKeySet();

	/** The transaction of a thread, and the transactions around it. */
	private final ThreadLocal<@Nullable FencedTransaction> newest = new ThreadLocal<>();

	private final Predicate<LockTemplate> included;

	private final BiFunction<LockTemplate, String, @Nullable String> keys;

	private final Predicate<DataSource> creates;

	private final LongSupplier nanoTime;

	/**
	 * Create a fence.
	 * @param included whether the transactions under the locks of a template are fenced
	 * @param keys returns the name of a lock in the table, or {@code null} if its
	 * transactions are not fenced
	 * @param creates whether to create the table in a database that does not have it
	 */
	public TransactionFence(Predicate<LockTemplate> included, BiFunction<LockTemplate, String, @Nullable String> keys,
			Predicate<DataSource> creates) {
		this(included, keys, creates, System::nanoTime);
	}

	TransactionFence(Predicate<LockTemplate> included, BiFunction<LockTemplate, String, @Nullable String> keys,
			Predicate<DataSource> creates, LongSupplier nanoTime) {
		this.included = included;
		this.keys = keys;
		this.creates = creates;
		this.nanoTime = nanoTime;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager manager
				&& bean instanceof PlatformTransactionManager transactions) {
			manager.addListener(new OfManager(transactions));
			this.managers.add(manager);
		}
		if (bean instanceof LockTemplate template && this.included.test(template)) {
			this.templates.add(template);
			template.admission(this::admitInTransaction);
		}
		return bean;
	}

	/**
	 * Return whether transactions on a database are fenced: whether it has the table.
	 * @throws DataAccessException if it can't be reached, or the table can't be used
	 */
	public boolean isFenced(DataSource dataSource) {
		return look(dataSource) != null;
	}

	/** Return whether a transaction manager notifies the fence of its transactions. */
	public boolean knows(Object transactions) {
		return this.managers.contains(transactions);
	}

	private boolean isAnyHeld() {
		return this.templates.stream().anyMatch(LockTemplate::isInSection);
	}

	/**
	 * Look for the table before a transaction has a connection, since the pool may have
	 * no other one. A table that is not there may be created later.
	 */
	private @Nullable FenceTable look(DataSource dataSource) {
		Found known = this.tables.get(dataSource);
		if (known == null || (known.table == null && this.nanoTime.getAsLong() - known.nanos > ABSENT_NANOS)) {
			if (known != null) { // others need not look, too
				this.tables.put(dataSource, new Found(null, this.nanoTime.getAsLong()));
			}
			known = new Found(FenceTable.find(dataSource, dataSource, this.creates), this.nanoTime.getAsLong());
			this.tables.put(dataSource, known);
		}
		return known.table;
	}

	private @Nullable FenceTable table(FencedTransaction transaction) {
		ConnectionHolder holder = transaction.holder();
		Found known = this.tables.get(transaction.dataSource());
		if (known == null && holder != null) { // the database failed at the begin
			known = new Found(
					FenceTable.find(transaction.dataSource(),
							new SingleConnectionDataSource(holder.getConnection(), true), (source) -> false),
					this.nanoTime.getAsLong());
			this.tables.put(transaction.dataSource(), known);
		}
		return (known != null && holder != null) ? known.table : null;
	}

	/** Admit the holder of a lock that was acquired, perhaps inside a transaction. */
	private void admitInTransaction() {
		Set<DataSource> admitted = new HashSet<>();
		for (FencedTransaction each = this.newest.get(); each != null; each = each.outer()) {
			// others on the same database are suspended
			if (!each.isEnded() && admitted.add(each.dataSource())) {
				fence(each, false);
			}
		}
	}

	/**
	 * Admit the holders of the locks of the current thread.
	 * @param early whether no statement of the caller was executed: later, tokens were
	 * not announced
	 */
	private void fence(FencedTransaction transaction, boolean early) {
		ConnectionHolder holder = transaction.holder();
		FenceTable table = isAnyHeld() ? table(transaction) : null;
		if (holder == null || table == null) {
			return;
		}
		forEachHeld((template, lock, key, token, shared) -> {
			if (transaction.isFenced(key, token) || hasCommitFence(template, holder.getConnection())) {
				return;
			}
			FencedTransaction present = this.newest.get();
			FencedTransaction keeper = (present != null)
					? present.keeper(key, transaction.dataSource(), holder.getConnection()) : null;
			if (keeper == null || keeper == transaction || isShared(table, keeper, key)) {
				table.admit(transaction, lock, key, token, shared, early);
				transaction.admitted(lock, key, token, shared && early, early);
			}
			else if (early) {
				table.join(lock, key, keeper.token(key));
				transaction.joined(key, keeper.token(key));
			}
		});
	}

	private static boolean isShared(FenceTable table, FencedTransaction keeper, String key) {
		FencedTransaction.Admitted row = keeper.admitted(key);
		return row != null && row.shared() && table.sharesRows();
	}

	/** Check before a commit that the rows were locked all the time. */
	private void verify(FencedTransaction transaction) {
		FenceTable table = table(transaction);
		if (table == null) {
			return;
		}
		for (String lock : transaction.lost()) {
			throw FenceTable.lost(lock);
		}
		Set<String> released = new TreeSet<>(transaction.keys());
		forEachHeld((template, lock, key, token, shared) -> {
			FencedTransaction.Admitted row = transaction.admitted(key);
			Long joined = transaction.joined(key);
			if (row != null) {
				table.verify(transaction, key, row, true);
			}
			if (joined != null) {
				table.join(lock, key, joined);
			}
			released.remove(key);
		});
		released
			.forEach((key) -> table.verify(transaction, key, Objects.requireNonNull(transaction.admitted(key)), false));
		transaction.unsettled().keySet().removeIf((key) -> {
			FencedTransaction.Admitted row = transaction.admitted(key);
			return row != null && table.removeTrace(key, row.token(), row.early());
		});
	}

	/** A lock that was acquired in an inner transaction may still be held. */
	void resumed(FencedTransaction transaction) {
		try {
			fence(transaction, false);
		}
		catch (RuntimeException ex) {
			// no concern of the inner transaction, which has ended
			logger.debug("The commit tries again", ex);
		}
	}

	/**
	 * Store what inner transactions have relied on, now that the one around them has
	 * ended without a commit.
	 */
	void settle(FencedTransaction transaction) {
		ConnectionHolder holder = transaction.holder();
		FenceTable table = transaction.unsettled().isEmpty() ? null : table(transaction);
		if (holder != null && table != null) {
			DataSource present = new SingleConnectionDataSource(holder.getConnection(), true);
			transaction.unsettled().forEach((key, unsettled) -> {
				try {
					table.announce(unsettled.lock(), key, unsettled.token(), false, present, (connection) -> true);
				}
				catch (RuntimeException ex) { // the next holder does so
					logger.debug("The token of lock '" + unsettled.lock() + "' could not be stored", ex);
				}
			});
			transaction.unsettled().clear();
		}
	}

	private void forEachHeld(Step step) {
		for (LockTemplate template : this.templates) {
			if (template.isInSection()) {
				template.ensureAdmitted((lock, token, shared) -> {
					String key = this.keys.apply(template, lock);
					if (key != null) {
						step.run(template, lock, key, token, shared);
					}
				});
			}
		}
	}

	/**
	 * Return whether the commit fence, which is cheaper, checks a transaction because the
	 * locks are in the same database.
	 */
	private static boolean hasCommitFence(LockTemplate template, Connection connection) {
		return template instanceof CommitFencing locks && locks.mayFence(connection);
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
			DataSource dataSource = dataSource();
			if (dataSource == null) {
				return;
			}
			FenceTable table = null;
			try {
				table = look(dataSource);
			}
			catch (RuntimeException ex) {
				if (isAnyHeld()) {
					throw ex;
				}
				logger.debug("A transaction without a lock does not need the table", ex);
			}
			if (table != null && isAnyHeld()) {
				announce(table, dataSource, transaction.isReadOnly());
			}
		}

		private void announce(FenceTable table, DataSource dataSource, boolean readOnly) {
			forEachHeld((template, lock, key, token, shared) -> announce(table, dataSource, template, lock, key, token,
					shared, readOnly));
		}

		private void announce(FenceTable table, DataSource dataSource, LockTemplate template, String lock, String key,
				long token, boolean shared, boolean readOnly) {
			FencedTransaction around = TransactionFence.this.newest.get();
			boolean inner = around != null && around.keeps(key);
			if (!inner && !shared && !readOnly) {
				return;
			}
			DataSource over = TransactionManagers.present(this.manager, dataSource);
			FencedTransaction keeper = inner ? table.trace(lock, key, over, (connection) -> {
				FencedTransaction found = hasCommitFence(template, connection) ? null
						: Objects.requireNonNull(around).keeper(key, dataSource, connection);
				return (found != null && !isShared(table, found, key)) ? found : null;
			}) : null;
			boolean lost = keeper != null && !table.isKeptBy(keeper, key);
			if (lost || (keeper == null && (shared || readOnly))) {
				table.announce(lock, key, token, readOnly && !lost, over,
						(connection) -> !hasCommitFence(template, connection));
			}
		}

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			DataSource dataSource = dataSource();
			if (failure == null && transaction instanceof DefaultTransactionStatus status && status.isNewTransaction()
					&& !status.isReadOnly() && dataSource != null && mayBeFenced(dataSource)) {
				FencedTransaction fenced = new FencedTransaction(TransactionFence.this, status, dataSource,
						TransactionFence.this.newest.get());
				TransactionFence.this.newest.set(fenced);
				try {
					if (status.isNewSynchronization()) {
						TransactionSynchronizationManager.registerSynchronization(fenced);
					}
					fence(fenced, true);
				}
				catch (RuntimeException | Error ex) {
					ended(status);
					undo(status);
					throw ex;
				}
			}
		}

		private boolean mayBeFenced(DataSource dataSource) {
			Found known = TransactionFence.this.tables.get(dataSource);
			return known == null || known.table != null;
		}

		/** Admit the holders of locks that were acquired in an inner transaction, too. */
		@Override
		public void beforeCommit(TransactionExecution transaction) {
			FencedTransaction fenced = current(transaction);
			if (fenced != null) {
				fence(fenced, false);
				verify(fenced);
			}
		}

		@Override
		public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
			ended(transaction);
		}

		@Override
		public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
			FencedTransaction around = TransactionFence.this.newest.get();
			if (transaction.isNested() && around != null) {
				around.forgetLate();
				resumed(around);
			}
			ended(transaction);
		}

		private void ended(TransactionExecution transaction) {
			FencedTransaction fenced = current(transaction);
			if (fenced != null && fenced.outer() == null) {
				TransactionFence.this.newest.remove();
			}
			else if (fenced != null) {
				TransactionFence.this.newest.set(fenced.outer());
			}
		}

		private @Nullable FencedTransaction current(TransactionExecution transaction) {
			FencedTransaction fenced = TransactionFence.this.newest.get();
			return (fenced != null && fenced.status() == transaction) ? fenced : null;
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
		 * Roll back a transaction whose begin fails, because Spring does not do this for
		 * a listener. Spring resumes the transactions that were suspended.
		 */
		private void undo(DefaultTransactionStatus status) {
			this.manager.rollback(new DefaultTransactionStatus(status.getTransactionName(), status.getTransaction(),
					true, status.isNewSynchronization(), false, false, status.isDebug(), null));
		}

	}

	/** Whether a database has the table, and when that was known. */
	private record Found(@Nullable FenceTable table, long nanos) {

	}

	/** An operation for a lock. */
	@FunctionalInterface
	private interface Step {

		void run(LockTemplate template, String lock, String key, long token, boolean shared);

	}

}
