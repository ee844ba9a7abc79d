package io.github.lockboot.cache.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
 * The transactions of Spring. What is known of one is kept with its synchronizations, and
 * so is set aside and taken up again with it.
 *
 * @since 1.0.0
 */
@Internal
public final class SpringTransactions implements Transactions {

	private final ThreadLocal<Long> beginning = new ThreadLocal<>();

	/** By the methods that the thread is in. */
	private final ThreadLocal<Announced> announced = new ThreadLocal<>();

	private final TransactionExecutionListener listener = new TransactionExecutionListener() {

		@Override
		public void beforeBegin(TransactionExecution transaction) {
			SpringTransactions.this.beginning.set(System.nanoTime());
		}

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			Long nanos = SpringTransactions.this.beginning.get();
			SpringTransactions.this.beginning.remove();
			if (failure == null && TransactionSynchronizationManager.isSynchronizationActive()) {
				TransactionSynchronizationManager.registerSynchronization(new Mark(new Begin(nanos)));
			}
		}

	};

	/**
	 * Look at the transactions of a manager from now on. Those of others are taken for
	 * infinitely old: what is loaded in them is not stored.
	 * @param manager the manager
	 */
	public void observe(ConfigurableTransactionManager manager) {
		if (!manager.getTransactionExecutionListeners().contains(this.listener)) {
			manager.addListener(this.listener);
		}
	}

	@Override
	public @Nullable Begin current() {
		Mark mark = mark();
		return (mark != null && !mark.committed) ? mark.begin : null;
	}

	@Override
	public boolean isChanging(String cache, @Nullable String key) {
		Mark mark = mark();
		return mark != null && Stream.concat(Stream.of(mark.changes, mark.announced), announced())
			.anyMatch((changes) -> changes.contains(new Change(cache, null))
					|| (key != null && changes.contains(new Change(cache, key))));
	}

	private Stream<Set<Change>> announced() {
		return Stream.iterate(this.announced.get(), Objects::nonNull, Announced::outer).map(Announced::changes);
	}

	@Override
	public boolean mayStore(String cache) {
		Mark mark = mark();
		return mark == null || mark.committed
				|| (mark.changes.isEmpty() && Stream.concat(Stream.of(mark.announced), announced())
					.flatMap(Collection::stream)
					.noneMatch((change) -> change.cache().equals(cache)));
	}

	@Override
	public Runnable announce(Set<Change> changes) {
		Mark mark = mark();
		if (mark != null && !mark.committed) {
			// what is written stays visible to it, also if the method fails
			mark.announced.addAll(changes);
		}
		Announced outer = this.announced.get();
		this.announced.set(new Announced(changes, outer));
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
	public boolean afterCommit(String cache, @Nullable String key, Runnable change) {
		Mark mark = mark();
		if (mark == null || mark.committed) {
			return false;
		}
		if (mark.changes.isEmpty()) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					runAll(mark.afterCommit);
				}

			});
		}
		mark.changes.add(new Change(cache, key));
		mark.afterCommit.add(change);
		return true;
	}

	/** One that fails must not keep the others from being made. */
	private static void runAll(List<Runnable> changes) {
		RuntimeException failure = null;
		for (Runnable change : changes) {
			try {
				change.run();
			}
			catch (RuntimeException ex) {
				failure = (failure != null) ? failure : ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private static @Nullable Mark mark() {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return null;
		}
		for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
			if (known instanceof Mark mark) {
				return mark;
			}
		}
		Mark mark = new Mark(new Begin(null));
		TransactionSynchronizationManager.registerSynchronization(mark);
		return mark;
	}

	/** What is known of a transaction. */
	private static final class Mark implements TransactionSynchronization {

		private final Begin begin;

		private final Set<Change> changes = new HashSet<>();

		private final List<Runnable> afterCommit = new ArrayList<>();

		private final Set<Change> announced = new HashSet<>();

		private boolean committed;

		Mark(Begin begin) {
			this.begin = begin;
		}

		/** Before all others: what they register then is never called. */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void afterCommit() {
			this.committed = true;
		}

	}

	/**
	 * Changes of a method, and those of the methods around it.
	 */
	private record Announced(Set<Change> changes, @Nullable Announced outer) {

	}

}
