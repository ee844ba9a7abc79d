package io.github.lockboot.cache.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.lockboot.Internal;
import io.github.lockboot.cache.AllChanges;

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
	public boolean hasRolledBack() {
		Announced innermost = this.announced.get();
		return innermost != null && innermost.rolledBack.get();
	}

	@Override
	public Runnable announce(Set<Change> changes) {
		CacheSynchronization state = state();
		if (state != null && !state.committed) {
			// the transaction sees its changes also if the method fails
			state.announced.addAll(changes);
		}
		Announced outer = this.announced.get();
		this.announced.set(new Announced(changes, outer, new AtomicBoolean()));
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
	public boolean afterCommit(Set<Change> targets, Runnable change, Runnable ifUndone) {
		CacheSynchronization state = state();
		if (state == null || state.committed) {
			return false;
		}
		if (state.changes.isEmpty()) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					AllChanges.make(state.afterCommit.stream().map(Queued::change));
				}

			});
		}
		state.changes.addAll(targets);
		state.afterCommit.add(new Queued(change, ifUndone));
		return true;
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

		private boolean committed;

		CacheSynchronization(@Nullable Long beganNanos) {
			this.beganNanos = beganNanos;
		}

		/**
		 * Run before all other synchronizations: what these register then is never
		 * called.
		 */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
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
		public void afterCommit() {
			this.committed = true;
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
	 */
	private record Announced(Set<Change> changes, @Nullable Announced outer, AtomicBoolean rolledBack) {

	}

}
