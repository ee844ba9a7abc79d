package io.github.lockboot.cache.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.lockboot.Internal;

/**
 * The transactions of Spring. The state of a transaction is one of its synchronizations,
 * which are suspended and resumed with the transaction.
 */
@Internal
public final class SpringTransactions implements Transactions, TransactionExecutionListener {

	private final ThreadLocal<Long> beginning = new ThreadLocal<>();

	/** Changes that the present methods of a thread have announced. */
	private final ThreadLocal<Announced> announced = new ThreadLocal<>();

	/**
	 * Observe the transactions of a manager from now on. Transactions of other managers
	 * count as infinitely old: their loads are not stored.
	 */
	public void observe(ConfigurableTransactionManager manager) {
		if (!manager.getTransactionExecutionListeners().contains(this)) {
			manager.addListener(this);
		}
	}

	@Override
	public void beforeBegin(TransactionExecution transaction) {
		this.beginning.set(System.nanoTime());
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
		Long nanos = this.beginning.get();
		this.beginning.remove();
		if (failure == null && TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(new CacheSynchronization(nanos));
		}
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
		rolledBack();
	}

	@Override
	public @Nullable View view(String cache, String key) {
		CacheSynchronization state = state();
		if (state == null) {
			return null;
		}
		List<Change> announced = Stream
			.concat(state.announced.stream(), announcements().flatMap((announcement) -> announcement.changes.stream()))
			.filter((change) -> change.cache().equals(cache))
			.toList();
		boolean changing = Stream.of(new Change(cache, null), new Change(cache, key))
			.anyMatch((change) -> state.changes.contains(change) || announced.contains(change));
		if (state.committed) {
			// its evicts may not have run yet
			return changing ? new View(null, true, false) : null;
		}
		return new View(state.beganNanos, changing, state.changes.isEmpty() && announced.isEmpty());
	}

	private Stream<Announced> announcements() {
		return Stream.iterate(this.announced.get(), Objects::nonNull, (inner) -> inner.outer);
	}

	private void rolledBack() {
		announcements().forEach((announcement) -> announcement.rolledBack.set(true));
	}

	@Override
	public Runnable announce(Set<Change> changes) {
		CacheSynchronization state = state();
		if (state != null && !state.committed) {
			// the transaction sees its changes also if the method fails
			state.announced.addAll(changes);
		}
		Announced outer = this.announced.get();
		this.announced
			.set(new Announced(changes, outer, new AtomicBoolean(), state, (state != null) ? state.suspensions : 0));
		return () -> {
			if (outer != null) {
				this.announced.set(outer);
			}
			else {
				this.announced.remove();
			}
		};
	}

	@Override
	public void afterCommit(Set<Change> targets, Runnable change, Runnable ifUndone) {
		Announced innermost = this.announced.get();
		Runnable wanted = (innermost != null && innermost.rolledBack.get()) ? ifUndone : change;
		CacheSynchronization state = state();
		if (state == null || state.committed) {
			wanted.run();
			return;
		}
		if (state.changes.isEmpty()) {
			TransactionSynchronizationManager.registerSynchronization(new LastSynchronization(state));
		}
		state.changes.addAll(targets);
		// the last synchronization may be registered too late to see it
		state.committing |= state.preparing;
		boolean apart = state.hasOthers()
				|| (innermost != null && innermost.state == state && innermost.suspensions != state.suspensions);
		state.afterCommit.add(new Queued(apart ? ifUndone : wanted, ifUndone));
		if (apart) {
			// made by a transaction that has ended, or by none; and perhaps by this one,
			// too
			ifUndone.run();
		}
	}

	private @Nullable CacheSynchronization state() {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return null;
		}
		for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
			if (known instanceof CacheSynchronization state) {
				return state;
			}
		}
		CacheSynchronization state = new CacheSynchronization(null);
		TransactionSynchronizationManager.registerSynchronization(state);
		return state;
	}

	private final class CacheSynchronization implements TransactionSynchronization {

		private final @Nullable Long beganNanos;

		private final Set<Change> changes = new HashSet<>();

		private final List<Queued> afterCommit = new ArrayList<>();

		/** Number of the changes that were queued before each savepoint. */
		private final Map<Object, Integer> savepoints = new HashMap<>();

		private final Set<Change> announced = new HashSet<>();

		/** The databases that the transaction has begun with. */
		private final Set<Object> databases = databases();

		private int suspensions;

		/** Whether the commit begins: others still make changes, or prevent it. */
		private boolean preparing;

		private boolean committing;

		private boolean committed;

		private boolean made;

		private @Nullable RuntimeException failure;

		CacheSynchronization(@Nullable Long beganNanos) {
			this.beganNanos = beganNanos;
		}

		/**
		 * Return whether another database is in use, and so without a transaction. A
		 * transaction that has begun with no database may be one of all databases.
		 */
		boolean hasOthers() {
			return !this.databases.isEmpty() && !this.databases.containsAll(databases());
		}

		private static Set<Object> databases() {
			return TransactionSynchronizationManager.getResourceMap()
				.entrySet()
				.stream()
				.filter((bound) -> bound.getValue().getClass().getSimpleName().equals("ConnectionHolder"))
				.map(Map.Entry::getKey)
				.collect(Collectors.toSet());
		}

		/**
		 * Run before all other synchronizations: what these register then is never
		 * called, and if one of them fails, those after it are not called.
		 */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			this.preparing = true;
		}

		@Override
		public void savepoint(Object savepoint) {
			this.savepoints.put(savepoint, this.afterCommit.size());
		}

		@Override
		public void savepointRollback(Object savepoint) {
			int known = this.savepoints.getOrDefault(savepoint, 0);
			this.afterCommit.subList(known, this.afterCommit.size())
				.replaceAll((undone) -> new Queued(undone.ifUndone, undone.ifUndone));
			rolledBack();
		}

		@Override
		public void suspend() {
			this.suspensions++;
		}

		@Override
		public void afterCommit() {
			this.committed = true;
			try {
				make(Queued::change);
			}
			catch (RuntimeException ex) {
				this.failure = ex;
			}
		}

		/**
		 * Make the changes if the outcome may be a commit, whose reply was lost: a
		 * manager may report a rollback after it.
		 */
		@Override
		public void afterCompletion(int status) {
			if (!this.made && (status != STATUS_ROLLED_BACK || this.committing)) {
				make((status == STATUS_COMMITTED) ? Queued::change : Queued::ifUndone);
			}
		}

		private void make(Function<Queued, Runnable> which) {
			this.made = true;
			Transactions.makeAll(this.afterCommit.stream().map(which));
		}

	}

	/** Runs after all other synchronizations. */
	private record LastSynchronization(CacheSynchronization state) implements TransactionSynchronization {

		@Override
		public void beforeCommit(boolean readOnly) {
			this.state.committing = true;
		}

		@Override
		public void afterCommit() {
			if (this.state.failure != null) {
				throw this.state.failure;
			}
		}

	}

	/**
	 * A change after the commit, and the one after a rollback to an earlier savepoint.
	 */
	private record Queued(Runnable change, Runnable ifUndone) {

	}

	/**
	 * Changes that a method has announced, and those of the methods around it.
	 *
	 * @param rolledBack whether a transaction was rolled back that has ended since then
	 * @param state the caller's transaction, if there was one
	 * @param suspensions how often this transaction had been suspended before
	 */
	private record Announced(Set<Change> changes, @Nullable Announced outer, AtomicBoolean rolledBack,
			@Nullable CacheSynchronization state, int suspensions) {

	}

}
