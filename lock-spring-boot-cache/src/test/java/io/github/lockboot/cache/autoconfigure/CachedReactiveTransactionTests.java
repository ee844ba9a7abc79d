package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The cache and reactive transactions.
 */
@RedisTest
@Timeout(60)
class CachedReactiveTransactionTests {

	private static final CacheSpec<String> NAME = CacheSpec.of("name", String.class);

	private static final Duration LONG = Duration.ofSeconds(20);

	private final TransactionalOperator transactions = TransactionalOperator.create(new NothingToCommit());

	private final ApplicationContextRunner runner;

	CachedReactiveTransactionTests(RedisServer redis) {
		this.runner = CachedApplication.on(redis).withBean(People.class);
	}

	@Test
	void aTransactionBypassesTheCacheAndStoresNothing() {
		run((people, cache) -> {
			cache.put(NAME, 1, "cached");
			assertThat(this.transactions.transactional(people.find(1)).block(LONG)).isEqualTo("1/1");
			assertThat(this.transactions.transactional(people.find(2)).block(LONG)).isEqualTo("2/2");
			assertThat(cache.getIfPresent(NAME, 2)).isNull();
		});
	}

	@Test
	void anEvictHappensAfterTheCommit() {
		run((people, cache) -> {
			cache.put(NAME, 1, "old");
			Mono<Boolean> stillThere = people.rename(1)
				.then(Mono.fromSupplier(() -> cache.getIfPresent(NAME, 1) != null));
			assertThat(this.transactions.transactional(stillThere).block(LONG)).isTrue();
			assertThat(cache.getIfPresent(NAME, 1)).isNull();
		});
	}

	@Test
	void aRollbackEvictsNothing() {
		run((people, cache) -> {
			cache.put(NAME, 1, "old");
			Mono<Void> failing = people.rename(1).then(Mono.error(new IllegalStateException("no")));
			assertThatIllegalStateException().isThrownBy(() -> this.transactions.transactional(failing).block(LONG));
			assertThat(cache.getIfPresent(NAME, 1)).isNotNull();
		});
	}

	@Test
	void theChangeOfATransactionOfItsOwnOutlivesTheRollbackOfItsCaller() {
		Mono<String> own = TransactionalOperator
			.create(new NothingToCommit(),
					new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW))
			.transactional(Mono.just("new"));
		run((people, cache) -> Stream.of(people.renameIn(1, own), people.replaceIn(1, own)).forEach((change) -> {
			cache.put(NAME, 1, "old");
			assertThatIllegalStateException().isThrownBy(
					() -> this.transactions.transactional(change.then(Mono.error(new IllegalStateException("no"))))
						.block(LONG));
			assertThat(cache.getIfPresent(NAME, 1)).isNull();
		}));
	}

	@Test
	void aChangeWhoseCommitGetsNoReplyIsAnEvict() {
		TransactionalOperator lossy = TransactionalOperator.create(new NothingToCommit() {

			@Override
			protected Mono<Void> doCommit(TransactionSynchronizationManager manager,
					GenericReactiveTransaction status) {
				return Mono.error(new IllegalStateException("the reply is lost"));
			}

		});
		Mono<String> body = Mono.just("new");
		run((people, cache) -> {
			Mono<String> failedEarly = people.renameEarly(1, Mono.error(new IllegalStateException("handled")))
				.onErrorResume((ex) -> Mono.fromRunnable(() -> cache.put(NAME, 1, "old")));
			Stream.of(people.renameIn(1, body), people.replaceIn(1, body), failedEarly).forEach((change) -> {
				cache.put(NAME, 1, "old");
				assertThatIllegalStateException().isThrownBy(() -> lossy.transactional(change).block(LONG))
					.withMessage("the reply is lost");
				assertThat(cache.getIfPresent(NAME, 1)).isNull();
			});
		});
	}

	@Test
	void anEarlyEvictHappensAtOnceAndAgainAfterTheCommit() {
		run((people, cache) -> {
			cache.put(NAME, 1, "old");
			Mono<String> seen = people
				.renameEarly(1, Mono.fromSupplier(() -> String.valueOf(cache.getIfPresent(NAME, 1))))
				.doOnNext((value) -> cache.put(NAME, 1, "old"));
			assertThat(this.transactions.transactional(seen).block(LONG)).isEqualTo("null");
			assertThat(cache.getIfPresent(NAME, 1)).isNull();
		});
	}

	@Test
	void anEvictThatFailsAfterTheCommitPreventsNoOther() {
		run((people, cache) -> {
			cache.put(NAME, 1, "old");
			Mono<Void> both = people.renameWithoutKey(null).then(people.rename(1));
			// Spring reports it by its own exception
			assertThatException().isThrownBy(() -> this.transactions.transactional(both).block(LONG));
			assertThat(cache.getIfPresent(NAME, 1)).isNull();
		});
	}

	private void run(BiConsumer<People, CacheOperations> story) {
		CachedApplication.run(this.runner, People.class, story);
	}

	static class People {

		private final AtomicInteger calls = new AtomicInteger();

		@RedisCache(name = "name", key = "#id")
		public Mono<String> find(int id) {
			return Mono.fromSupplier(() -> id + "/" + this.calls.incrementAndGet());
		}

		@RedisCacheEvict(name = "name", key = "#id", beforeInvocation = true)
		public Mono<String> renameEarly(int id, Mono<String> then) {
			return then;
		}

		@RedisCacheEvict(name = "name", key = "#id")
		public Mono<Void> renameWithoutKey(@Nullable Integer id) {
			return Mono.empty();
		}

		@RedisCacheEvict(name = "name", key = "#id")
		public Mono<String> renameIn(int id, Mono<String> transaction) {
			return transaction;
		}

		@RedisCachePut(name = "name", key = "#id")
		public Mono<String> replaceIn(int id, Mono<String> transaction) {
			return transaction;
		}

		@RedisCacheEvict(name = "name", key = "#id")
		public Mono<Void> rename(int id) {
			return Mono.empty();
		}

	}

	@SuppressWarnings("serial")
	private static class NothingToCommit extends AbstractReactiveTransactionManager {

		@Override
		protected Object doGetTransaction(TransactionSynchronizationManager manager) {
			return manager.isActualTransactionActive();
		}

		@Override
		protected boolean isExistingTransaction(Object transaction) {
			return (Boolean) transaction;
		}

		@Override
		protected Mono<Object> doSuspend(TransactionSynchronizationManager manager, Object transaction) {
			return Mono.just("suspended");
		}

		@Override
		protected Mono<Void> doResume(TransactionSynchronizationManager manager, @Nullable Object transaction,
				Object suspended) {
			return Mono.empty();
		}

		@Override
		protected Mono<Void> doBegin(TransactionSynchronizationManager manager, Object transaction,
				TransactionDefinition definition) {
			return Mono.empty();
		}

		@Override
		protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
			return Mono.empty();
		}

		@Override
		protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
			return Mono.empty();
		}

	}

}
