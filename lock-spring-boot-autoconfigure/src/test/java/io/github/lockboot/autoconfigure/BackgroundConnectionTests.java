package io.github.lockboot.autoconfigure;

import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * An application that starts while Redis accepts connections but does not answer yet, or
 * whose Redis dies while a locked method runs.
 */
@RedisTest
@Timeout(60)
class BackgroundConnectionTests {

	private static final LockRequest ONCE = LockRequest.of("orders").waitTime(Duration.ZERO);

	private final RedisServer redis;

	@AutoClose
	private final RedisProxy network;

	/** Without an answer, the attempt to connect takes longer than a test may. */
	private final ApplicationContextRunner runner;

	private final CompletableFuture<ConfigurableApplicationContext> context = new CompletableFuture<>();

	/** Completed when a bean uses the template that was injected. */
	private final CompletableFuture<LockOperations> injected = new CompletableFuture<>();

	BackgroundConnectionTests(RedisServer redis) {
		this.redis = redis;
		this.network = new RedisProxy(redis);
		this.runner = LockRunners.redis(redis)
			.withPropertyValues("spring.data.redis.url=redis://" + this.network.address(),
					"lock.redis.command-timeout=5m")
			.withInitializer(this.context::complete);
	}

	@Test
	void beansAreCreatedWhileRedisDoesNotAnswer() {
		this.network.holdAnswers();
		CompletableFuture<Void> start = start((locks) -> {
		}, (context) -> assertThat(context).hasNotFailed());
		assertThat(this.injected.join()).isInstanceOf(RedisLockTemplate.class);
		assertThat(start).isNotDone();
		this.network.releaseAnswers();
		start.join();
	}

	@Test
	void aCallDuringTheStartWaitsForTheConnection() {
		this.network.holdAnswers();
		CompletableFuture<Void> start = start(
				(locks) -> assertThat(locks.execute(ONCE, () -> "done")).isEqualTo("done"),
				(context) -> assertThat(context).hasNotFailed());
		this.injected.join();
		this.network.releaseAnswers();
		start.join();
	}

	@Test
	void aTemplateThatIsCreatedAfterTheStartConnectsAtOnce() {
		this.runner
			.withInitializer((context) -> context.addBeanFactoryPostProcessor(
					(beanFactory) -> beanFactory.getBeanDefinition("redisLockTemplate").setLazyInit(true)))
			.run((context) -> {
				this.network.close();
				assertThatExceptionOfType(BeanCreationException.class)
					.isThrownBy(() -> context.getBean(LockOperations.class))
					.withRootCauseInstanceOf(ConnectException.class);
			});
	}

	@Test
	void theConnectionForPushesIsOpenedWithTheFirstLock() {
		this.runner.withPropertyValues("spring.application.name=pushed", "lock.redis.command-timeout=10s")
			.run((context) -> {
				assertThat(connectionsForPushes()).isZero();
				context.getBean(LockOperations.class).execute(ONCE, () -> "done");
				Awaitility.await().until(() -> connectionsForPushes() == 1);
			});
	}

	@Test
	void aCallerWhoWaitedBeforePushesArriveIsWokenByOne() {
		this.runner.withPropertyValues("lock.redis.command-timeout=10s").run((context) -> {
			try (LockTemplate other = LockLifecycle.anotherInstance(context.getBean(RedisLockTemplate.class))) {
				LockHandle held = other.acquire(ONCE);
				CompletableFuture<LockHandle> waiting = context.getBean(LockOperations.class)
					.acquireAsync(ONCE.waitTime(Duration.ofSeconds(30)))
					.toCompletableFuture();
				Awaitility.await().until(() -> other.inspect("orders").waiting() == 1);
				held.close();
				waiting.join().close();
			}
		});
	}

	private long connectionsForPushes() {
		return String.valueOf(this.redis.command("CLIENT", "LIST"))
			.lines()
			.filter((line) -> line.contains(" name=pushed-locks ") && line.contains(" sub=1 "))
			.count();
	}

	@Test
	void anotherFailureOfTheStartDoesNotWaitForTheConnection() {
		this.network.holdAnswers();
		start((locks) -> {
			throw new IllegalStateException("another failure");
		}, (context) -> assertThat(context).getFailure().rootCause().hasMessage("another failure")).join();
		this.network.releaseAnswers();
	}

	@Test
	void anApplicationThatIsClosedDuringTheStartDoesNotWaitForTheConnection() {
		this.network.holdAnswers();
		CompletableFuture<Void> start = start((locks) -> {
		}, (context) -> assertThat(context).getFailure()
			.isInstanceOf(LockUnavailableException.class)
			.hasMessageContaining("interrupted"));
		this.injected.join();
		Awaitility.await().until(() -> {
			this.context.join().close();
			return start.isDone();
		});
		start.join();
		this.network.releaseAnswers();
	}

	@Test
	void theResultOrTheExceptionOfAMethodReachesTheCallerEvenIfTheLockCantBeReleased() {
		try (RedisServer own = RedisFixture.newServer()) {
			LockRunners.redis(own).withBean(Dying.class, () -> new Dying(own)).run((context) -> {
				Dying dying = context.getBean(Dying.class);
				assertThat(dying.succeed()).isEqualTo("done");
				own.start();
				Awaitility.await()
					.untilAsserted(
							() -> assertThatIllegalStateException().isThrownBy(dying::fail).withMessage("sold out"));
			});
		}
	}

	private CompletableFuture<Void> start(Consumer<LockOperations> use, Consumer<AssertableApplicationContext> check) {
		return CompletableFuture
			.runAsync(() -> this.runner.withBean(User.class, this.injected, use).run(check::accept));
	}

	static class User {

		User(LockOperations locks, CompletableFuture<LockOperations> injected, Consumer<LockOperations> use) {
			injected.complete(locks);
			use.accept(locks);
		}

	}

	static class Dying {

		private final RedisServer redis;

		Dying(RedisServer redis) {
			this.redis = redis;
		}

		@DistributedLock(name = "dying")
		public String succeed() {
			this.redis.kill();
			return "done";
		}

		@DistributedLock(name = "dying")
		public void fail() {
			this.redis.kill();
			throw new IllegalStateException("sold out");
		}

	}

}
