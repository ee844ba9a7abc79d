package io.github.lockboot.cache.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However the transaction of a method and that of its caller end, the cache has the
 * committed value afterwards, or none.
 */
@RedisTest
class CachedPropagationTests {

	private static final CacheSpec<String> NAME = CacheSpec.of("name", String.class);

	private static final List<String> MANAGERS = List.of("first", "second");

	private static final Map<String, Integer> PROPAGATIONS = Map.of("required", 0, "supports", 1, "requires new", 3,
			"not supported", 4, "nested", 6);

	private static final Map<String, Function<Changes, Function<Runnable, Object>>> OPERATIONS = Map.of("evict",
			(changes) -> changes::evict, "allEntries", (changes) -> changes::evictAll, "failOnError",
			(changes) -> changes::evictOrFail, "put", (changes) -> changes::put, "versioned put",
			(changes) -> changes::putVersioned);

	private final ApplicationContextRunner runner;

	CachedPropagationTests(RedisServer redis) {
		this.runner = CachedApplication.withDatabase(redis)
			.withUserConfiguration(Application.class)
			.withBean(Changes.class);
	}

	@Test
	void theCacheNeverHasAnotherValueThanTheOneThatIsCommitted() {
		List<String> wrong = new ArrayList<>();
		run((story) -> OPERATIONS.forEach((operation, change) -> PROPAGATIONS
			.forEach((propagation, code) -> MANAGERS.forEach((inner) -> List.of(true, false).forEach((innerCommits) -> {
				String cell = operation + ", " + propagation + " in " + inner + ", commits: " + innerCommits;
				Runnable call = () -> {
					change.apply(story.context.getBean(Changes.class))
						.apply(() -> story.in(inner, code, innerCommits, () -> story.write(inner)));
					story.check(wrong, cell);
				};
				story.begin();
				call.run();
				MANAGERS.forEach((outer) -> List.of(true, false).forEach((outerCommits) -> {
					story.begin();
					try {
						story.in(outer, TransactionDefinition.PROPAGATION_REQUIRED, outerCommits, call);
					}
					catch (UnexpectedRollbackException ex) {
						// the method's rollback is its caller's, too
					}
					story.check(wrong, cell + ", caller in " + outer + " commits: " + outerCommits);
				}));
			})))));
		assertThat(wrong).isEmpty();
	}

	@Test
	void aPutOfATransactionOfItsOwnIsAPutIfNoOtherWasThere() {
		run((story) -> {
			story.begin();
			story.context.getBean(Changes.class)
				.put(() -> story.in("first", TransactionDefinition.PROPAGATION_REQUIRES_NEW, true,
						() -> story.write("first")));
			assertThat(story.cached()).isEqualTo(new CachedValue<>("new"));
		});
	}

	@Test
	void aChangeIsMadeWhateverElseFailsOrIsUnknownAfterTheCommit() {
		List<String> wrong = new ArrayList<>();
		run((story) -> OPERATIONS
			.forEach((operation, change) -> List.of("afterCommit", "first", "second").forEach((failing) -> {
				String manager = failing.equals("afterCommit") ? "first" : failing;
				Runnable call = () -> change.apply(story.context.getBean(Changes.class))
					.apply(() -> story.write(manager));
				List.of(call, () -> TransactionSynchronizationManager.registerSynchronization(new BeforeCommit(call)))
					.forEach((changing) -> {
						story.begin();
						try {
							story.in(manager, TransactionDefinition.PROPAGATION_REQUIRED, true, () -> {
								TransactionSynchronizationManager
									.registerSynchronization(new Failing(failing.equals("afterCommit")));
								changing.run();
								story.context.getBean(AtomicBoolean.class).set(!failing.equals("afterCommit"));
							});
						}
						catch (RuntimeException ex) {
							// the application's
						}
						finally {
							story.context.getBean(AtomicBoolean.class).set(false);
						}
						story.check(wrong, operation + ((changing == call) ? "" : " before the commit")
								+ ", failure of " + failing);
					});
			})));
		assertThat(wrong).isEmpty();
	}

	@Test
	void aCommitThatWasNotTriedEvictsNothing() {
		run((story) -> {
			story.begin();
			try {
				story.in("first", TransactionDefinition.PROPAGATION_REQUIRED, true, () -> {
					TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

						@Override
						public void beforeCommit(boolean readOnly) {
							throw new IllegalStateException("no commit");
						}

					});
					story.context.getBean(Changes.class).evict(() -> story.write("first"));
				});
			}
			catch (IllegalStateException ex) {
				// the application's
			}
			assertThat(story.cached()).isEqualTo(new CachedValue<>("old"));
		});
	}

	private void run(Consumer<Story> test) {
		this.runner.run((context) -> {
			context.getBean(JdbcTemplate.class).execute("create table person (name varchar(9))");
			context.getBean(JdbcTemplate.class).update("insert into person values ('old')");
			FirstConnection.await(context.getBean(CacheOperations.class));
			test.accept(new Story(context));
		});
	}

	/** The data of one cell. */
	private record Story(ApplicationContext context) {

		void begin() {
			this.context.getBean(JdbcTemplate.class).update("update person set name = 'old'");
			CacheOperations cache = this.context.getBean(CacheOperations.class);
			cache.evict("name", 1);
			assertThat(cache.get(NAME, 1, () -> "old")).isEqualTo("old");
		}

		void in(String manager, int propagation, boolean commits, Runnable body) {
			TransactionTemplate template = new TransactionTemplate(
					this.context.getBean(manager, PlatformTransactionManager.class));
			template.setPropagationBehavior(propagation);
			template.executeWithoutResult((status) -> {
				body.run();
				if (!commits) {
					status.setRollbackOnly();
				}
			});
		}

		void write(String manager) {
			DataSource source = ((DataSourceTransactionManager) this.context.getBean(manager)).getDataSource();
			new JdbcTemplate(Objects.requireNonNull(source)).update("update person set name = 'new'");
		}

		void check(List<String> wrong, String cell) {
			Object committed = CachedApplication.elsewhere(() -> this.context.getBean(JdbcTemplate.class)
				.queryForObject("select name from person", String.class));
			Object cached = cached();
			if (cached instanceof CachedValue<?> found && !Objects.equals(found.value(), committed)) {
				wrong.add(cell + ": " + cached + " instead of " + committed);
			}
		}

		@Nullable Object cached() {
			return CachedApplication.elsewhere(() -> this.context.getBean(CacheOperations.class).getIfPresent(NAME, 1));
		}

	}

	static class Changes {

		@RedisCacheEvict(name = "name", key = "1")
		public String evict(Runnable body) {
			body.run();
			return "new";
		}

		@RedisCacheEvict(name = "name", allEntries = true)
		public String evictAll(Runnable body) {
			return evict(body);
		}

		@RedisCacheEvict(name = "name", key = "1", failOnError = true)
		public String evictOrFail(Runnable body) {
			return evict(body);
		}

		@RedisCachePut(name = "name", key = "1")
		public String put(Runnable body) {
			return evict(body);
		}

		@RedisCachePut(name = "name", key = "1", version = "1")
		public String putVersioned(Runnable body) {
			return evict(body);
		}

	}

	/** Makes a change when the commit begins. */
	private record BeforeCommit(Runnable change) implements TransactionSynchronization {

		@Override
		public void beforeCommit(boolean readOnly) {
			this.change.run();
		}

	}

	/** Fails after the commit, before all others. */
	private record Failing(boolean fails) implements TransactionSynchronization {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void afterCommit() {
			if (this.fails) {
				throw new IllegalStateException("after the commit");
			}
		}

	}

	/** Loses the replies to commits. */
	private static final class LossyDataSource extends DelegatingDataSource {

		private final AtomicBoolean lossy;

		LossyDataSource(DataSource target, AtomicBoolean lossy) {
			super(target);
			this.lossy = lossy;
		}

		@Override
		public Connection getConnection() throws SQLException {
			ProxyFactory proxy = new ProxyFactory(super.getConnection());
			proxy.addAdvice((MethodInterceptor) (call) -> {
				Object result = call.proceed();
				if (this.lossy.get() && call.getMethod().getName().equals("commit")) {
					throw new SQLException("the reply is lost", "08006");
				}
				return result;
			});
			return (Connection) proxy.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		AtomicBoolean lossy() {
			return new AtomicBoolean();
		}

		/** Rolls back after a commit that fails. */
		@Bean
		@Primary
		JdbcTransactionManager first(DataSource dataSource, AtomicBoolean lossy) {
			return new JdbcTransactionManager(new LossyDataSource(dataSource, lossy));
		}

		/** Leaves it open how a commit that fails has ended. */
		@Bean
		DataSourceTransactionManager second(DataSource dataSource, AtomicBoolean lossy) {
			return new DataSourceTransactionManager(new LossyDataSource(dataSource, lossy));
		}

	}

}
