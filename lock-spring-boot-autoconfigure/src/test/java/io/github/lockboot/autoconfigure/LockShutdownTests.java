package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockAction;
import io.github.lockboot.LockActivity;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * An application that stops while it uses locks.
 */
@RedisTest
class LockShutdownTests {

	private static final Duration SOON = Duration.ofSeconds(30);

	private static final Duration CONFIRMATION = Duration.ofMillis(7);

	/**
	 * Separate threads, because the tasks wait for each other and the common pool may
	 * have only one thread.
	 */
	private static final Executor THREADS = (task) -> new Thread(task).start();

	private final RedisServer redis;

	private final ApplicationContextRunner runner;

	LockShutdownTests(RedisServer redis) {
		this.redis = redis;
		this.runner = LockRunners.redis(redis, LockShutdownAutoConfiguration.class)
			.withPropertyValues("lock.shutdown.timeout=5m");
	}

	@Test
	void runsAfterSourcesOfWorkAndBeforeResourcesOfWork() {
		this.runner.withBean(ThreadPoolTaskExecutor.class)
			.withBean(ThreadPoolTaskScheduler.class)
			.run((context) -> assertThat(LockShutdown.PHASE)
				.isLessThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE)
				.isLessThan(context.getBean(ThreadPoolTaskExecutor.class).getPhase())
				.isLessThan(context.getBean(ThreadPoolTaskScheduler.class).getPhase())
				.isGreaterThan(context.getBean(LettuceConnectionFactory.class).getPhase()));
	}

	@Test
	void theStoreInUseHasItsOwnTimeToConfirmReleases() {
		Binder binder = new Binder(new MapConfigurationPropertySource(Map.of("lock.redis.command-timeout", "7ms")));
		assertThat(LockShutdownAutoConfiguration.replyTime("redis", binder)).isEqualTo(Duration.ofMillis(7));
	}

	@Test
	void sectionEndsBeforeItsApplication() {
		this.runner.run((context) -> {
			CountDownLatch end = new CountDownLatch(1);
			AtomicBoolean ended = new AtomicBoolean();
			CompletableFuture<Void> section = section(context.getBean(LockOperations.class), () -> {
				end.await();
				ended.set(context.getBean(LettuceConnectionFactory.class).isRunning());
			});
			CompletableFuture<Void> closed = closing(context.getSourceApplicationContext());
			assertRefused(context.getBean(LockOperations.class));
			assertThat(closed).isNotDone();
			end.countDown();
			assertThat(section).succeedsWithin(SOON);
			assertThat(closed).succeedsWithin(SOON);
			assertThat(ended).as("the application's Redis connections were there to the end").isTrue();
			assertThat(LockRunners.keys(this.redis)).isEmpty();
		});
	}

	@Test
	void waitingCallersFailAtOnceWhenTheApplicationStops() {
		this.runner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			LockHandle handle = locks.acquire("a");
			CompletableFuture<LockHandle> waiting = locks
				.acquireAsync(LockRequest.of("a").waitTime(Duration.ofMinutes(5)))
				.toCompletableFuture();
			CompletableFuture<Void> closed = closing(context.getSourceApplicationContext());
			assertThat(waiting).failsWithin(SOON)
				.withThrowableThat()
				.withCauseInstanceOf(LockUnavailableException.class)
				.withMessageContaining("the application is shutting down");
			handle.close();
			assertThat(closed).succeedsWithin(SOON);
		});
	}

	@Test
	void handlesThatNobodyClosedAreOneLineAtTheEnd() {
		try (CapturedLog log = new CapturedLog()) {
			this.runner.withPropertyValues("lock.shutdown.timeout=100ms").run((context) -> {
				LockOperations locks = context.getBean(LockOperations.class);
				for (int i = 0; i < 300; i++) {
					locks.acquire("leak:" + i);
				}
				// a shutdown does not wait for the holds of its own thread
				closing(context.getSourceApplicationContext()).join();
			});
			assertThat(log.lines("")).singleElement()
				.asString()
				.contains("300 locks were lost, such as 'leak:", "not released within the 100 ms");
		}
	}

	@Test
	void taskOfAnExecutorStillAcquiresALockDuringShutdown() {
		this.runner.withBean(ThreadPoolTaskExecutor.class).withBean(Closing.class).run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			Closing closing = context.getBean(Closing.class);
			CountDownLatch begun = new CountDownLatch(1);
			CompletableFuture<Boolean> task = context.getBean(ThreadPoolTaskExecutor.class).submitCompletable(() -> {
				begun.countDown();
				closing.begun.await();
				return locks.execute("a", () -> true);
			});
			begun.await();
			context.getSourceApplicationContext().close();
			assertThat(task).succeedsWithin(SOON).isEqualTo(true);
		});
	}

	@Test
	void lockThatIsNotReleasedInTimeIsLostAndLeavesNoKey() {
		this.runner.withPropertyValues("lock.shutdown.timeout=100ms").run((context) -> {
			LockHandle handle = ofAnotherThread(context.getBean(LockOperations.class));
			context.getSourceApplicationContext().close();
			assertThat(handle.loss()).hasMessageContaining("within the 100 ms of lock.shutdown.timeout");
			assertThat(LockRunners.keys(this.redis)).isEmpty();
		});
	}

	@Test
	void ifReleaseIsDisabledALockThatIsNotReleasedInTimeStaysHeld() {
		this.runner.withPropertyValues("lock.shutdown.timeout=100ms", "lock.shutdown.release=false").run((context) -> {
			LockHandle handle = ofAnotherThread(context.getBean(LockOperations.class));
			context.getSourceApplicationContext().close();
			assertThat(handle.loss()).isNull();
			assertThat(LockRunners.keys(this.redis)).containsExactly("lock:{a}");
		});
	}

	private static LockHandle ofAnotherThread(LockOperations locks) {
		return CompletableFuture.supplyAsync(() -> locks.acquire("a"), THREADS).join();
	}

	@Test
	void aSectionThatClosesTheApplicationDoesNotWaitForItself() {
		this.runner.run((context) -> {
			try (CapturedLog log = new CapturedLog()) {
				CompletableFuture<Void> section = section(context.getBean(LockOperations.class),
						() -> context.getSourceApplicationContext().close());
				assertThat(section).succeedsWithin(SOON);
				assertThat(log.lines("was lost")).isEmpty();
			}
			assertThat(LockRunners.keys(this.redis)).isEmpty();
		});
	}

	@Test
	void aBeanReleasesTheLockOfItsWholeLifeWhenItIsDestroyed() {
		this.runner.withBean(Keeper.class).run((context) -> {
			Keeper keeper = context.getBean(Keeper.class);
			assertThat(closing(context.getSourceApplicationContext())).succeedsWithin(SOON);
			assertThat(keeper.heldToTheEnd).isTrue();
			assertThat(LockRunners.keys(this.redis)).isEmpty();
		});
	}

	@Test
	void aBeanThatAcquiresALockWhenItIsDestroyedFailsAtOnce() {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		this.runner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			((DefaultListableBeanFactory) context.getBeanFactory()).registerDisposableBean("last",
					() -> failure.complete(org.assertj.core.api.Assertions.catchThrowable(() -> locks.acquire("a"))));
			assertThat(closing(context.getSourceApplicationContext())).succeedsWithin(SOON);
			assertThat(failure.join()).isInstanceOf(LockUnavailableException.class)
				.hasMessageContaining("the application is shutting down and grants no more locks");
		});
	}

	@Test
	void ifReleaseIsDisabledNoWarningIsLoggedForALockThatIsNotHeld() {
		LockTemplate template = mock();
		LockLifecycle lifecycle = mock();
		given(template.activity()).willReturn(LockActivity.none());
		try (CapturedLog log = new CapturedLog()) {
			shutdown(template, lifecycle).stop();
			assertThat(log.lines("The application is stopping")).isEmpty();
		}
		then(lifecycle).should().awaitNoneHeld(any());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void redisThatDoesNotReplyDelaysNoShutdownWithoutSections(boolean killed) {
		try (RedisServer own = RedisFixture.newServer()) {
			this.runner.withPropertyValues("spring.data.redis.port=" + own.port(), "lock.lease-time=5m")
				.run((context) -> {
					LockHandle handle = context.getBean(LockOperations.class).acquire("a");
					if (killed) {
						own.kill();
					}
					else {
						own.freeze();
					}
					handle.close();
					assertThat(closing(context.getSourceApplicationContext())).succeedsWithin(SOON);
				});
		}
	}

	@Test
	void shutdownAwaitsAPendingReleaseEvenIfTheTimeForSectionsIsOver() {
		LockLifecycle lifecycle = mock();
		given(lifecycle.awaitNoneHeld(any())).willReturn(true);
		shutdown(mock(LockTemplate.class), lifecycle).stop();
		then(lifecycle).should().awaitAllReleased(CONFIRMATION);
	}

	@Test
	void factoryOfATemplateIsNotTakenForATemplate() {
		FactoryBean<LockTemplate> factory = mock();
		given(factory.isSingleton()).willReturn(true);
		willReturn(LockTemplate.class).given(factory).getObjectType();
		assertThatNoException().isThrownBy(shutdown(factory, mock())::stop);
	}

	@Test
	void restartedTemplateGrantsLocksAgain() {
		this.runner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			context.getSourceApplicationContext().stop();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.acquire("a"));
			context.getSourceApplicationContext().start();
			locks.acquire("a").close();
		});
	}

	@Test
	void createsNoTemplate() {
		this.runner.withBean(LazyInitializationBeanFactoryPostProcessor.class).run((context) -> {
			context.getSourceApplicationContext().stop();
			assertThat(context.getBeanFactory().containsSingleton("localLockTemplate")).isFalse();
		});
	}

	private static LockShutdown shutdown(Object bean, LockLifecycle lifecycle) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerSingleton("locks", bean);
		return new LockShutdown(beanFactory, Duration.ZERO, false, CONFIRMATION) {

			@Override
			LockLifecycle lifecycle(LockTemplate template) {
				return lifecycle;
			}

		};
	}

	private static CompletableFuture<Void> section(LockOperations locks, LockAction<InterruptedException> body) {
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Void> section = CompletableFuture.runAsync(() -> {
			try {
				locks.execute("section", () -> {
					begun.countDown();
					body.run();
				});
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}, THREADS);
		Awaitility.await().atMost(SOON).until(() -> begun.getCount() == 0);
		return section;
	}

	private static CompletableFuture<Void> closing(ConfigurableApplicationContext context) {
		return CompletableFuture.runAsync(context::close, THREADS);
	}

	private static void assertRefused(LockOperations locks) {
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> locks.execute("another", () -> {
				}))
				.withMessageContaining("the application is shutting down"));
	}

	/** Holds a lock from its creation to its destruction. */
	static class Keeper implements DisposableBean {

		private final LockHandle handle;

		private boolean heldToTheEnd;

		Keeper(LockOperations locks) {
			this.handle = locks.acquire("kept");
		}

		@Override
		public void destroy() {
			this.heldToTheEnd = this.handle.isHeld();
			this.handle.close();
		}

	}

	static class Closing implements ApplicationListener<ContextClosedEvent> {

		private final CountDownLatch begun = new CountDownLatch(1);

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
			this.begun.countDown();
		}

	}

}
