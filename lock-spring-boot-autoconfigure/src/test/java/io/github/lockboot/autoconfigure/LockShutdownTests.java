package io.github.lockboot.autoconfigure;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockAction;
import io.github.lockboot.LockActivity;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * An application that stops while it uses locks, also by SIGTERM under load, or has
 * stopped before. Leases of other JVMs last ten minutes, so that one which continues has
 * not waited for one to expire.
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

	private static final Duration LIMIT = Duration.ofSeconds(120);

	/** Exit code of a JVM after SIGTERM. */
	private static final int TERMINATED = 128 + 15;

	private final RedisServer redis;

	private final ApplicationContextRunner runner;

	private final ApplicationContextRunner local = LockRunners.local(AopAutoConfiguration.class,
			LockShutdownAutoConfiguration.class);

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
					() -> failure.complete(catchThrowable(() -> locks.acquire("a"))));
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

	@Test
	@Tag("long")
	void aTerminatedApplicationLosesNothingLeavesNoKeyAndBlocksNoOther() {
		try (JvmProcess first = start("first"); JvmProcess second = start("second")) {
			awaitSections("first");
			awaitSections("second");

			first.terminate();
			assertThat(first.awaitExit(LIMIT)).isEqualTo(TERMINATED);
			assertThatAllSectionsEnded("first", first);
			awaitSections("second");

			second.terminate();
			assertThat(second.awaitExit(LIMIT)).isEqualTo(TERMINATED);
			assertThatAllSectionsEnded("second", second);
			assertThat(LockRunners.keys(this.redis)).isEmpty();
		}
	}

	@Test
	@Tag("long")
	void anExitInsideASectionDoesNotWaitForItself() {
		try (JvmProcess process = start(WorkingApplication.EXITING)) {
			// the shutdown would wait for two minutes
			assertThat(process.awaitExit(Duration.ofSeconds(100))).isEqualTo(7);
			assertThat(process.output()).noneMatch((line) -> line.contains("was lost"));
			assertThat(LockRunners.keys(this.redis)).isEmpty();
		}
	}

	private JvmProcess start(String name) {
		return JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), WorkingApplication.class, name,
				this.redis.host(), String.valueOf(this.redis.port()));
	}

	/** Waits for further sections under each of the locks. */
	private void awaitSections(String name) {
		List<Long> before = ended(name);
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(ended(name)).satisfies((now) -> IntStream.range(0, now.size())
				.forEach((lock) -> assertThat(now.get(lock)).isGreaterThan(before.get(lock) + 5))));
	}

	private void assertThatAllSectionsEnded(String name, JvmProcess process) {
		assertThat(process.output()).contains("refused").noneMatch((line) -> line.startsWith("failed"));
		assertThat(ended(name)).isEqualTo(counts(name, "begun"));
	}

	private List<Long> ended(String name) {
		return counts(name, "ended");
	}

	private List<Long> counts(String name, String what) {
		return IntStream.range(0, WorkingApplication.LOCKS)
			.mapToObj((lock) -> this.redis.command("GET", name + ":" + what + ":work-" + lock))
			.map((count) -> (count != null) ? Long.parseLong(count.toString()) : 0L)
			.toList();
	}

	@ParameterizedTest
	@EnumSource
	void firstCallAfterTheEndIsRejectedAndCreatesNoBean(LockProperties.Validation validation) {
		this.local.withBean(Orders.class).withPropertyValues("lock.aspect.validation=" + validation).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getSourceApplicationContext().close();
			assertClosed(catchThrowable(orders::pay));
			assertThat(context.getBeanFactory().containsSingleton("localLockTemplate")).isFalse();
		});
	}

	@Test
	void firstCallAfterTheEndWithItsOwnTemplateIsRejected() {
		this.local.withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getSourceApplicationContext().close();
			assertClosed(catchThrowable(orders::payByTemplate));
		});
	}

	@Test
	void laterCallAfterTheEndIsRejected() {
		this.local.withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.pay();
			context.getSourceApplicationContext().close();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(orders::pay)
				.withMessageEndingWith("Orders.pay()' was not acquired: the locks are closed");
		});
	}

	private static void assertClosed(Throwable failure) {
		assertThat(failure).isInstanceOf(LockUnavailableException.class)
			.hasMessageContaining("the application context is closed");
	}

	@Test
	@Tag("long")
	void theClassLoaderOfAnUndeployedApplicationIsCollectedAfterItHasHeldAndAwaitedLocks() {
		try (JvmProcess server = JvmProcess.start(
				List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:SoftRefLRUPolicyMSPerMB=0"), Server.class,
				this.redis.host(), String.valueOf(this.redis.port()))) {
			server.awaitLine("^collected$", LIMIT);
		}
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
		Awaitility.await().until(() -> begun.getCount() == 0);
		return section;
	}

	private static CompletableFuture<Void> closing(ConfigurableApplicationContext context) {
		return CompletableFuture.runAsync(context::close, THREADS);
	}

	private static void assertRefused(LockOperations locks) {
		Awaitility.await()
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

	static class Orders {

		@DistributedLock
		public void pay() {
		}

		@DistributedLock(template = "localLockTemplate")
		public void payByTemplate() {
		}

	}

	/**
	 * A JVM with threads that Spring does not manage. They compete for a few locks with
	 * each other and with other such JVMs until it is stopped. The arguments are its
	 * name, and host and port of Redis, where it counts the sections by that name.
	 */
	record WorkingApplication(String name, LockOperations locks, StringRedisTemplate redis) {

		static final int LOCKS = 3;

		/** The name of a JVM that calls {@link System#exit} in a section. */
		static final String EXITING = "exiting";

		private static final int THREADS_EACH = 4;

		public static void main(String[] arguments) {
			ConfigurableApplicationContext context = new SpringApplicationBuilder(Configured.class)
				.web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.properties("lock.lease-time=10m", "lock.shutdown.timeout=2m", "spring.data.redis.host=" + arguments[1],
						"spring.data.redis.port=" + arguments[2])
				.run();
			WorkingApplication application = new WorkingApplication(arguments[0], context.getBean(LockOperations.class),
					context.getBean(StringRedisTemplate.class));
			if (application.name.equals(EXITING)) {
				application.locks.execute("exit", () -> System.exit(7));
			}
			for (int number = 0; number < LOCKS * THREADS_EACH; number++) {
				String lock = "work-" + number % LOCKS;
				new Thread(() -> application.work(lock), "worker-" + number).start();
			}
		}

		private void work(String lock) {
			LockRequest request = LockRequest.of(lock).waitTime(Duration.ofMinutes(10));
			try {
				while (true) {
					this.locks.execute(request, () -> {
						count("begun", lock);
						LockSupport.parkNanos(Duration.ofMillis(20).toNanos()); // the
																				// work
						count("ended", lock);
					});
				}
			}
			catch (LockUnavailableException ex) {
				System.out.println(String.valueOf(ex.getMessage()).contains("the application is shutting down")
						? "refused" : "failed " + ex);
			}
			catch (RuntimeException ex) {
				System.out.println("failed " + ex);
			}
		}

		private void count(String what, String lock) {
			this.redis.opsForValue().increment(this.name + ":" + what + ":" + lock);
		}

		@Configuration(proxyBeanMethods = false)
		@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class,
				LockShutdownAutoConfiguration.class })
		static class Configured {

		}

	}

	/** As threads of the JDK keep the loader of their first user, a JVM of its own. */
	static final class Server {

		private Server() {
		}

		public static void main(String[] args) throws Exception {
			WeakReference<ClassLoader> application = deployed(args);
			forget();
			Awaitility.await().atMost(LIMIT).until(() -> {
				System.gc();
				return application.get() == null;
			});
			System.out.println("collected");
		}

		/** Let the JDK replace the type that it has cached of the last record. */
		private static void forget() {
			Last last = new Last(new Server());
			System.out.println(last.equals(new Last(null)) + " " + last.hashCode() + last);
		}

		private record Last(@Nullable Server server) {

		}

		/** Run the application on a thread of its own, which ends with it. */
		private static WeakReference<ClassLoader> deployed(String[] args) throws Exception {
			URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
			Thread thread = new Thread(() -> {
				try {
					Class.forName(Undeployed.class.getName(), true, loader)
						.getMethod("run", String[].class)
						.invoke(null, (Object) args);
				}
				catch (ReflectiveOperationException ex) {
					ex.printStackTrace();
				}
			});
			thread.setContextClassLoader(loader);
			thread.start();
			thread.join();
			loader.close();
			return new WeakReference<>(loader);
		}

		private static URL[] classPath() throws MalformedURLException {
			List<URL> urls = new ArrayList<>();
			for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
				urls.add(new File(path).toURI().toURL());
			}
			return urls.toArray(URL[]::new);
		}

	}

	public static final class Undeployed {

		private Undeployed() {
		}

		public static void run(String[] args) {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.getEnvironment()
					.getPropertySources()
					.addFirst(new MapPropertySource("server",
							Map.of("spring.data.redis.host", args[0], "spring.data.redis.port", args[1],
									"lock.shutdown.timeout", "100ms", "lock.hold-warning-time", "1s")));
				context.register(AutoConfigurations.getClasses(AutoConfigurations.of(DataRedisAutoConfiguration.class,
						RedisLockAutoConfiguration.class, DistributedLockAutoConfiguration.class,
						LockMonitoringAutoConfiguration.class, LockShutdownAutoConfiguration.class)));
				context.refresh();
				LockOperations locks = context.getBean(LockOperations.class);
				locks.acquire("held");
				LockRequest busy = LockRequest.of("held").waitTime(Duration.ofMillis(300));
				CompletableFuture<LockHandle> awaited = locks.tryAcquireAsync(busy).toCompletableFuture();
				locks.acquireAsync(LockRequest.of("other")).thenAccept(LockHandle::close).toCompletableFuture().join();
				awaited.join();
				locks.acquireAsync(busy.waitTime(Duration.ofMinutes(1)));
			}
		}

	}

}
