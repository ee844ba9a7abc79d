package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.BareStage;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Annotated methods with asynchronous results, also in reactive transactions.
 */
@RedisTest
@Timeout(60)
class CachedAsyncMethodTests {

	private static final CacheSpec<String> PRODUCT = CacheSpec.of("product", String.class);

	private static final CacheSpec<String> NAME = CacheSpec.of("name", String.class);

	private static final Duration LONG = Duration.ofSeconds(20);

	private final TransactionalOperator transactions = TransactionalOperator.create(new NothingToCommit());

	private final ApplicationContextRunner runner;

	CachedAsyncMethodTests(RedisServer redis) {
		this.runner = CachedApplication.on(redis)
			.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
			.withBean(Shop.class)
			.withBean(People.class);
	}

	@Test
	void theValueOfAStageIsCached() {
		run((shop, cache) -> {
			assertThat(join(shop.stage(1))).isEqualTo("1/1");
			assertThat(join(shop.stage(1))).isEqualTo("1/1");
			assertThat(cache.get(PRODUCT, 1, () -> "other")).isEqualTo("1/1");
		});
	}

	@Test
	void theValueOfAMonoIsCachedAndEachSubscriptionIsACall() {
		run((shop, cache) -> {
			Mono<String> first = shop.mono(1);
			assertThat(shop.calls()).isEqualTo(0);
			assertThat(first.block(LONG)).isEqualTo("1/1");
			assertThat(first.block(LONG)).isEqualTo("1/1");
			cache.evict("mono", 1);
			assertThat(first.block(LONG)).isEqualTo("1/2");
		});
	}

	@Test
	void theValueOfAMonoThatAGenericMethodReturnsIsCached() {
		run((shop, cache) -> {
			assertThat(shop.counted().block(LONG)).isEqualTo(1);
			assertThat(shop.counted().block(LONG)).isEqualTo(1);
		});
	}

	@Test
	void anEmptyMonoIsCached() {
		run((shop, cache) -> {
			assertThat(shop.empty().block(LONG)).isNull();
			assertThat(shop.empty().block(LONG)).isNull();
			assertThat(shop.calls()).isEqualTo(1);
		});
	}

	@Test
	void theElementsOfAFluxAreCachedAsAList() {
		run((shop, cache) -> {
			assertThat(shop.flux(3).collectList().block(LONG)).containsExactly(0, 1, 2);
			assertThat(shop.flux(3).collectList().block(LONG)).containsExactly(0, 1, 2);
			assertThat(shop.calls()).isEqualTo(1);
		});
	}

	@Test
	void aMonoLoadsWithTheContextOfItsSubscriber() {
		run((shop,
				cache) -> assertThat(
						shop.contextual().contextWrite((context) -> context.put("tenant", "blue")).block(LONG))
					.isEqualTo("blue"));
	}

	@Test
	void conditionAndUnlessAreEvaluated() {
		run((shop, cache) -> {
			assertThat(List.of(join(shop.conditional(-1)), join(shop.conditional(-1)))).containsExactly(1, 2);
			assertThat(List.of(join(shop.conditional(0)), join(shop.conditional(0)))).containsExactly(3, 4);
			assertThat(List.of(join(shop.conditional(7)), join(shop.conditional(7)))).containsExactly(5, 5);
		});
	}

	@Test
	void anEvictHappensAfterTheEndOfAStage() {
		run((shop, cache) -> {
			cache.put(PRODUCT, 1, "old");
			CompletionStage<String> changing = shop.change(1);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNotNull();
			shop.open("done");
			assertThat(join(changing)).isEqualTo("done");
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void aFailureEvictsNothing() {
		run((shop, cache) -> {
			cache.put(PRODUCT, 1, "old");
			CompletionStage<String> changing = shop.change(1);
			shop.breakGate();
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> join(changing));
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNotNull();
		});
	}

	@Test
	void aPutHappensAfterTheEndOfAMono() {
		run((shop, cache) -> {
			assertThat(shop.replace(1, "put").block(LONG)).isEqualTo("put");
			assertThat(cache.get(PRODUCT, 1, () -> "loaded")).isEqualTo("put");
		});
	}

	@Test
	void anAsyncMethodIsCached() {
		this.runner.withUserConfiguration(Asynchronous.class).run((context) -> {
			Shop shop = context.getBean(Shop.class);
			assertThat(join(shop.pooled(1))).isEqualTo("1/1");
			assertThat(join(shop.pooled(1))).isEqualTo("1/1");
		});
	}

	@Test
	void aTransactionBypassesTheCacheAndStoresNothing() {
		runReactive((people, cache) -> {
			cache.put(NAME, 1, "cached");
			assertThat(this.transactions.transactional(people.find(1)).block(LONG)).isEqualTo("1/1");
			assertThat(this.transactions.transactional(people.find(2)).block(LONG)).isEqualTo("2/2");
			assertThat(cache.getIfPresent(NAME, 2)).isNull();
		});
	}

	@Test
	void anEvictHappensAfterTheCommit() {
		runReactive((people, cache) -> {
			cache.put(NAME, 1, "old");
			Mono<Boolean> stillThere = people.rename(1)
				.then(Mono.fromSupplier(() -> cache.getIfPresent(NAME, 1) != null));
			assertThat(this.transactions.transactional(stillThere).block(LONG)).isTrue();
			assertThat(cache.getIfPresent(NAME, 1)).isNull();
		});
	}

	@Test
	void aRollbackEvictsNothing() {
		runReactive((people, cache) -> {
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
		runReactive(
				(people, cache) -> Stream.of(people.renameIn(1, own), people.replaceIn(1, own)).forEach((change) -> {
					cache.put(NAME, 1, "old");
					assertThatIllegalStateException().isThrownBy(() -> this.transactions
						.transactional(change.then(Mono.error(new IllegalStateException("no"))))
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
		runReactive((people, cache) -> {
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
		runReactive((people, cache) -> {
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
		runReactive((people, cache) -> {
			cache.put(NAME, 1, "old");
			Mono<Void> both = people.renameWithoutKey(null).then(people.rename(1));
			// Spring reports it by its own exception
			assertThatException().isThrownBy(() -> this.transactions.transactional(both).block(LONG));
			assertThat(cache.getIfPresent(NAME, 1)).isNull();
		});
	}

	private void run(BiConsumer<Shop, CacheOperations> story) {
		CachedApplication.run(this.runner, Shop.class, story);
	}

	private void runReactive(BiConsumer<People, CacheOperations> story) {
		CachedApplication.run(this.runner, People.class, story);
	}

	private static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
	}

	@EnableAsync
	static class Asynchronous {

	}

	static class Counting<R> {

		final AtomicInteger calls = new AtomicInteger();

		@RedisCache
		@SuppressWarnings("unchecked")
		public R counted() {
			return (R) Mono.fromSupplier(this.calls::incrementAndGet);
		}

	}

	static class Shop extends Counting<Mono<Integer>> {

		private final CompletableFuture<String> gate = new CompletableFuture<>();

		int calls() {
			return this.calls.get();
		}

		void open(String value) {
			this.gate.complete(value);
		}

		void breakGate() {
			this.gate.completeExceptionally(new IllegalStateException("no"));
		}

		@RedisCache(name = "product", key = "#id")
		public CompletionStage<String> stage(int id) {
			return BareStage.of(CompletableFuture.completedFuture(id + "/" + this.calls.incrementAndGet()));
		}

		@RedisCache("mono")
		public Mono<String> mono(int id) {
			return Mono.fromSupplier(() -> id + "/" + this.calls.incrementAndGet());
		}

		@RedisCache(ttl = "#result.length()", tags = "#result", unless = "#result != null")
		public Mono<String> empty() {
			this.calls.incrementAndGet();
			return Mono.empty();
		}

		@RedisCache
		public Flux<Integer> flux(int count) {
			this.calls.incrementAndGet();
			return Flux.range(0, count);
		}

		@RedisCache
		public Mono<String> contextual() {
			return Mono.deferContextual((context) -> Mono.just(context.get("tenant")));
		}

		@RedisCache(condition = "#id >= 0", unless = "#id == 0 && #result > 0")
		public CompletableFuture<Integer> conditional(int id) {
			return CompletableFuture.completedFuture(this.calls.incrementAndGet());
		}

		@RedisCacheEvict("product")
		public CompletionStage<String> change(int id) {
			return BareStage.of(this.gate);
		}

		@RedisCachePut(name = "product", key = "#id")
		public Mono<String> replace(int id, String name) {
			return Mono.just(name);
		}

		@Async
		@RedisCache
		public CompletableFuture<String> pooled(int id) {
			return CompletableFuture.completedFuture(id + "/" + this.calls.incrementAndGet());
		}

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
