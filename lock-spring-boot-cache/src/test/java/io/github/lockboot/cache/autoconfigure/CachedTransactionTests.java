package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.redis.CacheThreads;
import io.github.lockboot.cache.redis.RedisCacheSettings;
import io.github.lockboot.cache.redis.RedisCacheTemplate;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The cache and transactions, with a real database.
 */
@RedisTest
class CachedTransactionTests {

	private static final CacheSpec<String> NAME = CacheSpec.of("name", String.class);

	private final ApplicationContextRunner runner;

	CachedTransactionTests(RedisServer redis) {
		this.runner = CachedApplication.withDatabase(redis).withBean(People.class);
	}

	@Test
	void aTransactionSeesItsOwnChangeAndStoresNothing() {
		run((context, people, transactions) -> {
			people.find(1);
			transactions.executeWithoutResult((status) -> {
				people.rename(1, "Bea");
				assertThat(people.find(1)).isEqualTo("Bea");
				assertThat(cached(context)).isEqualTo(new CachedValue<>("Ann"));
			});
		});
	}

	@Test
	void aFailedMethodThatReadsTheEntryThatItEvictsStoresNothing() {
		runWithStoringTransactions((context, people, transactions) -> {
			assertThatIllegalStateException().isThrownBy(() -> people.renameAnd(1, "Bea", () -> {
				assertThat(people.find(1)).isEqualTo("Bea");
				assertThat(cached(context)).isNull();
				throw new IllegalStateException("rolled back");
			}));
			assertThat(cached(context)).isNull();
			assertThat(people.find(1)).isEqualTo("Ann");
		});
	}

	@Test
	void aFailedMethodThatReadsTheEntryThatItEvictsStoresNothingInTheTransactionOfItsCaller() {
		runWithStoringTransactions((context, people, transactions) -> {
			transactions.executeWithoutResult((status) -> {
				assertThatIllegalStateException().isThrownBy(() -> people.renameWithin(1, "Bea", () -> {
					assertThat(people.find(1)).isEqualTo("Bea");
					throw new IllegalStateException("caught");
				}));
				// it still sees uncommitted changes
				assertThat(people.find(1)).isEqualTo("Bea");
				assertThat(cached(context)).isNull();
				status.setRollbackOnly();
			});
			assertThat(cached(context)).isNull();
		});
	}

	@Test
	void ifTheKeyDependsOnTheResultNothingOfTheCacheIsStored() {
		runWithStoringTransactions((context, people, transactions) -> {
			assertThatIllegalStateException().isThrownBy(() -> people.renameAndTell(1, "Bea", () -> {
				assertThat(people.find(1)).isEqualTo("Bea");
				throw new IllegalStateException("rolled back");
			}));
			assertThat(cached(context)).isNull();
		});
	}

	@Test
	void aTransactionThatHasWrittenStoresNoOtherEntries() {
		runWithStoringTransactions((context, people, transactions) -> {
			transactions.executeWithoutResult((status) -> {
				context.getBean(JdbcTemplate.class).update("update person set name = 'Bea'");
				people.rename(2, "Bea");
				assertThat(people.find(1)).isEqualTo("Bea");
				status.setRollbackOnly();
			});
			assertThat(cached(context)).isNull();
		});
	}

	@Test
	void aTransactionThatHasWrittenStillHitsOtherEntriesOfSeveralKeys() {
		run((context, people, transactions) -> {
			people.find(1);
			CacheOperations cache = context.getBean(CacheOperations.class);
			transactions.executeWithoutResult((status) -> {
				people.rename(2, "Bea");
				assertThat(cache.getAll(NAME, List.of(1, 2), (keys) -> Map.of(2, "loaded " + keys)))
					.isEqualTo(Map.of(1, "Ann", 2, "loaded [2]"));
			});
			assertThat(cache.getIfPresent(NAME, 2)).isNull();
		});
	}

	@Test
	void withoutATransactionAMethodThatEvictsStoresTheEntriesThatItReads() {
		run((context, people, transactions) -> {
			people.renameWithin(2, "Bea", () -> people.find(1));
			assertThat(cached(context)).isEqualTo(new CachedValue<>("Ann"));
		});
	}

	@Test
	void anAnnouncementEndsWithItsMethod() {
		run((context, people, transactions) -> {
			people.find(2); // so that the epoch is older than the transaction
			assertThatIllegalStateException().isThrownBy(() -> people.renameAnd(1, "Bea", () -> {
				throw new IllegalStateException("rolled back");
			}));
			Awaitility.await().pollInSameThread().untilAsserted(() -> {
				transactions.executeWithoutResult((status) -> people.find(1));
				assertThat(cached(context)).isEqualTo(new CachedValue<>("Ann"));
			});
		});
	}

	@Test
	void aVersionedPutHappensAfterTheCommitButNotAfterARollback() {
		run((context, people, transactions) -> {
			transactions.executeWithoutResult((status) -> {
				people.replaceVersioned(1, "Bea", 2);
				status.setRollbackOnly();
			});
			assertThat(cached(context)).isNull();
			transactions.executeWithoutResult((status) -> {
				people.replaceVersioned(1, "Cid", 1);
				assertThat(cached(context)).isNull();
			});
			assertThat(cached(context)).isEqualTo(new CachedValue<>("Cid"));
		});
	}

	@Test
	void aPutBeforeOrAfterARolledBackSavepointHappens() {
		run((context, people, transactions) -> {
			transactions.executeWithoutResult((outer) -> {
				people.replace(1, "Bea");
				nested(context).executeWithoutResult((status) -> {
					people.replace(2, "Cid");
					status.setRollbackOnly();
				});
			});
			assertThat(cached(context)).isEqualTo(new CachedValue<>("Bea"));
			transactions.executeWithoutResult((outer) -> {
				nested(context).executeWithoutResult((status) -> {
					people.replace(1, "Dan");
					status.setRollbackOnly();
				});
				people.replace(1, "Eve");
			});
			assertThat(cached(context)).isEqualTo(new CachedValue<>("Eve"));
		});
	}

	@Test
	void aPutAfterTheRollbackOfAnEarlierMethodHappens() {
		run((context, people, transactions) -> {
			people.replaceAnd(2, "Bea", () -> TransactionInterceptor.currentTransactionStatus().setRollbackOnly());
			people.replace(1, "Cid");
			assertThat(cached(context)).isEqualTo(new CachedValue<>("Cid"));
		});
	}

	@Test
	void anEvictInACallbackAfterTheCommitHappens() {
		run((context, people, transactions) -> {
			people.find(1);
			transactions.executeWithoutResult((status) -> TransactionSynchronizationManager
				.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						people.rename(1, "Bea");
					}

				}));
			assertThat(cached(context)).isNull();
		});
	}

	@Test
	void aReaderWhoseTransactionStartedBeforeAnEvictOfAnotherJvmStoresNothing() {
		run((context, people, transactions) -> {
			people.find(2);
			RedisConnectionFactory redis = context.getBean(RedisConnectionFactory.class);
			RedisCacheSettings patient = new RedisCacheSettings("cache:", Duration.ofSeconds(5),
					Duration.ofSeconds(30));
			try (RedisCacheTemplate other = new RedisCacheTemplate(redis, patient, (name) -> CacheSettings.defaults(),
					ValueCodec.json(), Transactions.NONE, List.of(), CacheThreads.defaults())) {
				transactions.executeWithoutResult((status) -> {
					other.evict("name", 1);
					assertThat(people.find(1)).isEqualTo("Ann");
				});
			}
			assertThat(cached(context)).isNull();
		});
	}

	@Test
	void aReaderWhoseTransactionStartedBeforeTheClockOfRedisWasSetBackStoresNothing() {
		Optional<RedisServer> adjustable = RedisFixture.newServerWithAdjustableClock(RedisOptions.defaults());
		assumeThat(adjustable).isPresent();
		try (RedisServer redis = adjustable.get()) {
			run(this.runner.withPropertyValues("spring.data.redis.url=" + redis.uri()),
					(context, people, transactions) -> {
						people.find(2);
						transactions.executeWithoutResult((status) -> {
							redis.moveClock(Duration.ofSeconds(-10));
							changeElsewhere(() -> context.getBean(CacheOperations.class).evict("name", 1));
							assertThat(people.find(1)).isEqualTo("Ann");
						});
						assertThat(cached(context)).isNull();
					});
		}
	}

	@Test
	void aReaderWhoseTransactionStartedBeforeAnEvictOrAClearStoresNothing() {
		run((context, people, transactions) -> {
			people.find(2);
			CacheOperations cache = context.getBean(CacheOperations.class);
			transactions.executeWithoutResult((status) -> {
				changeElsewhere(() -> cache.evict("name", 1));
				assertThat(cache.getAsync(NAME, 1, () -> CompletableFuture.completedFuture("Ann"))
					.orTimeout(30, TimeUnit.SECONDS)
					.join()).isEqualTo("Ann");
			});
			assertThat(cached(context)).isNull();
			transactions.executeWithoutResult((status) -> {
				changeElsewhere(() -> cache.clear("name"));
				assertThat(people.find(1)).isEqualTo("Ann");
			});
			assertThat(cached(context)).isNull();
		});
	}

	@Test
	void aNewTransactionWithinAnOldOneIsNotOld() {
		run((context, people, transactions) -> {
			people.find(2);
			TransactionTemplate inner = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
			inner.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
			transactions.executeWithoutResult((status) -> {
				context.getBean(CacheOperations.class).evict("name", 1);
				Awaitility.await().pollInSameThread().untilAsserted(() -> {
					inner.executeWithoutResult((nested) -> people.find(1));
					assertThat(cached(context)).isEqualTo(new CachedValue<>("Ann"));
				});
			});
		});
	}

	@Test
	void anAdviceInsideTransactionsStopsTheStart() {
		this.runner.withPropertyValues("lock.cache.aspect.order=2147483647", "lock.aspect.order=2147483647")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidCacheAnnotationException.class)
				.hasMessageContaining("the order 2147483647"));
	}

	private void run(Story story) {
		run(this.runner, story);
	}

	private static void run(ApplicationContextRunner runner, Story story) {
		ContextConsumer<AssertableApplicationContext> consumer = (context) -> {
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			jdbc.execute("create table person (id int, name varchar(9))");
			jdbc.update("insert into person values (1, 'Ann'), (2, 'Bob')");
			FirstConnection.await(context.getBean(CacheOperations.class));
			story.tell(context, context.getBean(People.class),
					new TransactionTemplate(context.getBean(PlatformTransactionManager.class)));
		};
		runner.run(consumer);
	}

	/** Only transactions that started after the epoch of the cache store entries. */
	private void runWithStoringTransactions(Story story) {
		run((context, people, transactions) -> {
			CacheOperations cache = context.getBean(CacheOperations.class);
			Awaitility.await().pollInSameThread().until(() -> {
				transactions.executeWithoutResult((status) -> people.find(2));
				return cache.getIfPresent(NAME, 2) != null;
			});
			story.tell(context, people, transactions);
		});
	}

	private static TransactionTemplate nested(AssertableApplicationContext context) {
		TransactionTemplate nested = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		return nested;
	}

	/** Return what another thread without a transaction finds. */
	private static @Nullable Object cached(AssertableApplicationContext context) {
		return CachedApplication.elsewhere(() -> context.getBean(CacheOperations.class).getIfPresent(NAME, 1));
	}

	/** Change a value in a thread without a transaction. */
	private static void changeElsewhere(Runnable change) {
		CachedApplication.elsewhere(() -> {
			change.run();
			return true;
		});
	}

	/** The log of events in the application. */
	private interface Story {

		void tell(AssertableApplicationContext context, People people, TransactionTemplate transactions);

	}

	static class People {

		private final JdbcTemplate jdbc;

		People(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@RedisCache(name = "name", key = "#id")
		public String find(int id) {
			return String.valueOf(this.jdbc.queryForObject("select name from person where id = ?", String.class, id));
		}

		@Transactional
		@RedisCacheEvict(name = "name", key = "#id")
		public void rename(int id, String name) {
			this.jdbc.update("update person set name = ? where id = ?", name, id);
		}

		@Transactional
		@RedisCacheEvict(name = "name", key = "#id")
		public void renameAnd(int id, String name, Runnable then) {
			rename(id, name);
			then.run();
		}

		/** Runs in the transaction of the caller, if there is one. */
		@RedisCacheEvict(name = "name", key = "#id")
		public void renameWithin(int id, String name, Runnable then) {
			rename(id, name);
			then.run();
		}

		@Transactional
		@RedisCacheEvict(name = "name", key = "#result")
		public int renameAndTell(int id, String name, Runnable then) {
			renameAnd(id, name, then);
			return id;
		}

		@Transactional
		@RedisCachePut(name = "name", key = "#id")
		public String replaceAnd(int id, String name, Runnable then) {
			renameAnd(id, name, then);
			return name;
		}

		@Transactional
		@RedisCachePut(name = "name", key = "#id", version = "#version")
		public String replaceVersioned(int id, String name, long version) {
			this.jdbc.update("update person set name = ? where id = ?", name, id);
			return name;
		}

		@Transactional
		@RedisCachePut(name = "name", key = "#id")
		public String replace(int id, String name) {
			this.jdbc.update("update person set name = ? where id = ?", name, id);
			return name;
		}

	}

}
