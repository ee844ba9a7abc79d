package io.github.lockboot.cache.aop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Tells whether a pipeline runs in a transaction. The cache can't tell what such a one
 * sees, nor wait for its commit. Loaded only where Spring's transactions are present.
 */
final class ReactiveTransactions {

	private ReactiveTransactions() {
	}

	static Mono<Boolean> isActive() {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.map(TransactionSynchronizationManager::isActualTransactionActive)
			.onErrorReturn(NoTransactionException.class, false)
			.defaultIfEmpty(false);
	}

	/** Do something after the commit, and not if the transaction is rolled back. */
	static Mono<Void> afterCommit(Runnable change) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.doOnNext((transaction) -> changes(transaction).add(change))
			.then();
	}

	private static List<Runnable> changes(TransactionSynchronizationManager transaction) {
		for (TransactionSynchronization known : transaction.getSynchronizations()) {
			if (known instanceof Changes changes) {
				return changes.all;
			}
		}
		Changes changes = new Changes();
		transaction.registerSynchronization(changes);
		return changes.all;
	}

	/** Together, since one that fails keeps later synchronizations from being called. */
	private static final class Changes implements TransactionSynchronization {

		private final List<Runnable> all = new CopyOnWriteArrayList<>();

		@Override
		public Mono<Void> afterCommit() {
			return Mono.<Void>fromRunnable(() -> CachedCall.changeAll(this.all.stream()))
				.subscribeOn(Schedulers.boundedElastic());
		}

	}

}
