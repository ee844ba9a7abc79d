package io.github.lockboot.cache.aspect;

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
			.doOnNext((transaction) -> transaction.registerSynchronization(new TransactionSynchronization() {

				@Override
				public Mono<Void> afterCommit() {
					return Mono.<Void>fromRunnable(change).subscribeOn(Schedulers.boundedElastic());
				}

			}))
			.then();
	}

}
