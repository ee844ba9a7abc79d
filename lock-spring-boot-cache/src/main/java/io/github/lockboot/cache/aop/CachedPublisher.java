package io.github.lockboot.cache.aop;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.aop.ReactiveResult;
import io.github.lockboot.aop.TransactionOrder;
import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.aop.CachedMethod.CachedCall;
import io.github.lockboot.cache.transaction.Transactions;

/**
 * Runs a method that returns a publisher, or a type that Spring converts into one: each
 * subscription is a call. Its elements are cached, several of them as one list. Loaded
 * only where Reactor is present.
 */
record CachedPublisher(ReactiveResult result) {

	Object run(CachedCall call) {
		MethodBody method = MethodBody.repeatable(call.invocation());
		Flux<Object> cached = Flux
			.deferContextual((context) -> run(call, () -> value(this.result.elements(method).contextWrite(context))));
		// an evict waits for Redis
		boolean blocks = call.method().evictsBefore();
		return this.result.returned(blocks ? cached.subscribeOn(Schedulers.boundedElastic()) : cached);
	}

	private Flux<Object> run(CachedCall call, AsyncCacheLoader<@Nullable Object> body) {
		if (!TransactionOrder.TRANSACTIONS) {
			return elements(Mono.fromFuture(call.begin(body), true));
		}
		return ReactiveTransactions.isActive()
			.flatMapMany(
					(active) -> elements(active ? inTransaction(call, body) : Mono.fromFuture(call.begin(body), true)));
	}

	/**
	 * Run the method in the caller's transaction, which must see its own changes; others
	 * must not before the commit.
	 */
	private static Mono<Object> inTransaction(CachedCall call, AsyncCacheLoader<@Nullable Object> body) {
		List<CacheEviction> early = call.evictBefore();
		return ReactiveTransactions.changes().flatMap((changes) -> {
			Runnable again = () -> call.evictAgain(early);
			changes.all.add(new Change(again, again));
			int before = changes.suspensions;
			return Mono.<Object>defer(() -> Mono.fromFuture(CachedCall.started(body), true))
				.map(Optional::of)
				.defaultIfEmpty(Optional.empty())
				.flatMap((result) -> changes.add(call, result.orElse(null), before).then(Mono.justOrEmpty(result)));
		});
	}

	private CompletableFuture<@Nullable Object> value(Flux<Object> loading) {
		return this.result.isSeveral() ? loading.collectList().<Object>map((list) -> list).toFuture()
				: loading.singleOrEmpty().toFuture();
	}

	private Flux<Object> elements(Mono<Object> value) {
		return this.result.isSeveral() ? value.flatMapIterable((list) -> (List<?>) list) : value.flux();
	}

	/** A change after the commit, and the one to make if the outcome is unknown. */
	private record Change(Runnable ifCommitted, Runnable ifUnknown) {

	}

	/**
	 * Detects whether a pipeline runs in a transaction. The cache does not know which
	 * data such a pipeline sees, and cannot wait for its commit. Loaded only where
	 * Spring's transactions are present.
	 */
	private static final class ReactiveTransactions {

		private ReactiveTransactions() {
		}

		static Mono<Boolean> isActive() {
			return TransactionSynchronizationManager.forCurrentTransaction()
				.map(TransactionSynchronizationManager::isActualTransactionActive)
				.onErrorReturn(NoTransactionException.class, false)
				.defaultIfEmpty(false);
		}

		/** Return what to change after the commit; a rollback drops it. */
		static Mono<Changes> changes() {
			return TransactionSynchronizationManager.forCurrentTransaction().map((transaction) -> {
				for (TransactionSynchronization known : transaction.getSynchronizations()) {
					if (known instanceof Changes changes) {
						return changes;
					}
				}
				Changes changes = new Changes();
				transaction.registerSynchronization(changes);
				return changes;
			});
		}

		/**
		 * All changes together, and first, since a synchronization that fails prevents
		 * later ones.
		 */
		private static final class Changes implements TransactionSynchronization, Ordered {

			private final List<Change> all = new CopyOnWriteArrayList<>();

			private volatile int suspensions;

			private volatile boolean committing;

			private volatile boolean made;

			/**
			 * Add what a call changes. If the transaction was suspended meanwhile, the
			 * change may be that of another one, which has ended: evict at once, too.
			 */
			Mono<Void> add(CachedCall call, @Nullable Object result, int suspensionsBefore) {
				boolean apart = this.suspensions != suspensionsBefore;
				this.all.add(new Change(apart ? call::evictAnnounced : () -> call.write(result, List.of()),
						call::evictAnnounced));
				return apart ? blocking(call::evictAnnounced) : Mono.empty();
			}

			private static Mono<Void> blocking(Runnable change) {
				return Mono.<Void>fromRunnable(change).subscribeOn(Schedulers.boundedElastic());
			}

			@Override
			public Mono<Void> suspend() {
				this.suspensions++;
				return Mono.empty();
			}

			@Override
			public int getOrder() {
				return HIGHEST_PRECEDENCE;
			}

			@Override
			public Mono<Void> beforeCommit(boolean readOnly) {
				this.committing = true;
				return Mono.empty();
			}

			@Override
			public Mono<Void> afterCommit() {
				this.made = true;
				return blocking(() -> Transactions.makeAll(this.all.stream().map(Change::ifCommitted)));
			}

			/**
			 * Evict if the outcome may be a commit, whose reply was lost: a manager may
			 * report a rollback after it.
			 */
			@Override
			public Mono<Void> afterCompletion(int status) {
				boolean rolledBack = status == STATUS_ROLLED_BACK && !this.committing;
				return (this.made || rolledBack) ? Mono.empty()
						: blocking(() -> Transactions.makeAll(this.all.stream().map(Change::ifUnknown)));
			}

		}

	}

}
