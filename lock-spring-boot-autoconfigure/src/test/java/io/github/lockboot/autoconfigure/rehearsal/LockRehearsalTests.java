package io.github.lockboot.autoconfigure.rehearsal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LockRunners;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rehearsal of lost locks.
 */
@RedisTest
class LockRehearsalTests {

	private static final List<String> IGNORING = List.of("ignoring", "ignoringInside");

	private final ApplicationContextRunner runner;

	LockRehearsalTests(RedisServer redis) {
		this.runner = LockRunners
			.redis(redis, LocalLockAutoConfiguration.class, DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
					LockRehearsalAutoConfiguration.class)
			.withPropertyValues("spring.datasource.generate-unique-name=true")
			.withUserConfiguration(Stock.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "local", "redis" })
	void methodThatIgnoresItsLossIsFoundWithinAThousandSections(String backend) {
		this.runner.withPropertyValues("lock.backend=" + backend, "lock.rehearsal.lose=0.1%").run((context) -> {
			try (CapturedLog log = new CapturedLog()) {
				run(context.getBean(Stock.class), 1000);
				Map<String, Long> ignored = context.getBean(LockRehearsal.class).ignoredLosses();
				assertThat(ignored.keySet()).map((method) -> method.replaceAll(".*\\.|\\(.*", ""))
					.containsExactlyElementsOf(IGNORING);
				assertThat(ignored.values()).containsOnly(1L);
				assertThat(log.lines("Stock.ignoring() ignored the loss of its lock")).hasSize(1);
			}
		});
	}

	@Test
	void someRepliesAreLateAndNoneIsMissing() {
		LockRehearsal rehearsal = new LockRehearsal(1000, RecordingLockOperations::new, Runnable::run);
		List<CompletableFuture<String>> replies = Stream.generate(() -> CompletableFuture.completedStage("reply"))
			.limit(300)
			.map((reply) -> rehearsal.delay(reply).toCompletableFuture())
			.toList();
		assertThat(replies).anyMatch((reply) -> !reply.isDone())
			.anyMatch(CompletableFuture::isDone)
			.allSatisfy((reply) -> assertThat(reply).succeedsWithin(Duration.ofSeconds(10)));
	}

	@Test
	void methodThatChecksIsNeverReported() {
		this.runner.withPropertyValues("lock.backend=local", "lock.rehearsal.lose=50%").run((context) -> {
			run(context.getBean(Stock.class), 100);
			assertThat(context.getBean(LockRehearsal.class).ignoredLosses()).hasSize(IGNORING.size())
				.allSatisfy((method, count) -> assertThat(count).isEqualTo(50));
		});
	}

	@Test
	void withoutThePropertyThereIsNoRehearsal() {
		this.runner.withPropertyValues("lock.backend=local")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRehearsal.class));
	}

	@ParameterizedTest
	@CsvSource({ "prod, 0.1%, the profile 'prod' is active", "production, 0.1%, the profile 'production' is active",
			"staging, 0.1, must be a percentage", "staging, 0%, must be above 0%", "staging, 101%, at most 100%" })
	void startIsRefused(String profile, String lose, String message) {
		this.runner
			.withPropertyValues("lock.backend=local", "spring.profiles.active=" + profile,
					"lock.rehearsal.lose=" + lose)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
	}

	@Test
	void productionMayBeForced() {
		this.runner
			.withPropertyValues("lock.backend=local", "spring.profiles.active=prod", "lock.rehearsal.lose=0.1%",
					"lock.rehearsal.forced=true")
			.run((context) -> assertThat(context).hasSingleBean(LockRehearsal.class));
	}

	private static void run(Stock stock, int sections) {
		Stream
			.<Runnable>of(stock::ignoring, stock::ignoringInside, stock::checking, stock::checkingQuietly,
					stock::checkingBefore)
			.map((method) -> CompletableFuture.runAsync(() -> run(method, sections), NewThreadExecutor::run))
			.toList()
			.forEach(CompletableFuture::join);
	}

	private static void run(Runnable method, int sections) {
		for (int section = 0; section < sections; section++) {
			try {
				method.run();
			}
			catch (LockLostException ex) {
				assertThat(ex).hasMessageContaining("released by force");
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Stock {

		private final LockOperations locks;

		private final TransactionTemplate transactions;

		Stock(LockOperations locks, TransactionTemplate transactions) {
			this.locks = locks;
			this.transactions = transactions;
		}

		@Transactional
		@DistributedLock(name = "ignoring")
		public void ignoring() {
		}

		@DistributedLock(name = "ignoring-inside")
		public void ignoringInside() {
			this.transactions.executeWithoutResult((status) -> {
			});
		}

		@Transactional
		@DistributedLock(name = "checking")
		public void checking() {
			this.locks.ensureHeld("checking");
		}

		@Transactional
		@DistributedLock(name = "checking-quietly")
		public void checkingQuietly() {
			try {
				this.locks.ensureHeld("checking-quietly");
			}
			catch (LockLostException ex) {
				TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
			}
		}

		@DistributedLock(name = "checking-before")
		public void checkingBefore() {
			this.locks.ensureHeld("checking-before");
			this.transactions.executeWithoutResult((status) -> {
			});
		}

	}

}
