package io.github.lockboot.autoconfigure;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;

import javax.tools.ToolProvider;

import org.aspectj.weaver.Advice;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.annotation.NoLockOperationsException;
import io.github.lockboot.annotation.Renew;
import io.github.lockboot.annotation.ScheduledLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Annotated beans in an application: they are locked, or the start reports why not.
 */
@ExtendWith(OutputCaptureExtension.class)
class DistributedLockAutoConfigurationTests {

	private final ApplicationContextRunner withoutBackend = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, PropertyPlaceholderAutoConfiguration.class,
				DistributedLockAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.withoutBackend.withBean("locks", RecordingLockOperations.class,
			RecordingLockOperations::new);

	@Test
	void annotatedBeanIsLockedWithoutAspectJ() {
		this.runner.withBean(Orders.class)
			.withClassLoader(new FilteredClassLoader(Advice.class))
			.run((context) -> assertLocked(context, "orders:42"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=false", "spring.aop.proxy-target-class=false" })
	void annotatedBeanIsLockedWithAnyProxySettings(String property) {
		this.runner.withBean(Orders.class)
			.withPropertyValues(property)
			.run((context) -> assertLocked(context, "orders:42"));
	}

	@Test
	void propertiesOfTheNameApplyToAnnotatedMethods() {
		this.runner.withBean(Orders.class)
			.withPropertyValues("lock.wait-time=9s", "lock.locks.orders.lease-time=8s")
			.run((context) -> {
				context.getBean(Orders.class).pay("42");
				assertThat(locks(context).request().waitTime()).hasSeconds(9);
				assertThat(locks(context).request().leaseTime()).hasSeconds(8);
			});
	}

	@Test
	void adviceIsOutsideOfTransactionsByDefaultAndMovable() {
		this.runner.run((context) -> assertThat(orderIn(context)).isEqualTo(Ordered.LOWEST_PRECEDENCE - 100));
		this.runner.withPropertyValues("lock.aspect.order=7")
			.run((context) -> assertThat(orderIn(context)).isEqualTo(7));
	}

	@Test
	void applicationWithoutAnnotatedMethodsNeedsNoBackend() {
		this.withoutBackend.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "fail", "warn", "off" })
	void annotatedBeanWithoutABackendStopsTheStart(String validation) {
		this.withoutBackend.withBean(Orders.class)
			.withPropertyValues("lock.aspect.validation=" + validation)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(NoLockOperationsException.class)
				.hasMessageContaining("Orders.pay(String)"));
	}

	@Test
	void annotatedBeanIsLockedInALazyApplication() {
		lazy(this.runner).withBean(Orders.class).run((context) -> assertLocked(context, "orders:42"));
	}

	@Test
	void annotatedBeanWithoutABackendStopsTheStartOfALazyApplication() {
		lazy(this.withoutBackend).withBean(Orders.class)
			.run((context) -> assertThat(context).getFailure().isInstanceOf(NoLockOperationsException.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "lock.enabled", "lock.aspect.enabled" })
	void disabledLocksLogOneWarningWithTheNumberOfMethods(String property, CapturedOutput output) {
		this.withoutBackend.withBean(Orders.class)
			.withBean("greeter", Greeter.class, Greeting::new)
			.withPropertyValues(property + "=false")
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(Advisor.class);
				context.getBean(Orders.class).pay("42");
				assertThat(output).containsOnlyOnce(
						property + "=false: @DistributedLock is ignored, so that without a lock 2 methods run");
			});
	}

	@Test
	void disabledLocksWithoutAnnotatedMethodsLogNothing(CapturedOutput output) {
		this.runner.withPropertyValues("lock.enabled=false")
			.run((context) -> assertThat(output).doesNotContain("without a lock"));
	}

	@Test
	void findingsOfLazyBeansAreReported() {
		this.runner.withBean(Mistakes.class, Mistakes::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> assertThat(context).getFailure().isInstanceOf(InvalidLockAnnotationException.class));
	}

	@Test
	void findingsAreLoggedIfTheCheckOnlyWarns(CapturedOutput output) {
		this.runner.withBean(Mistakes.class).withPropertyValues("lock.aspect.validation=warn").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce("Mistakes.sealed() is final");
		});
	}

	@Test
	void oneLineNamesTheUnlockedMethodsIfTheCheckIsOff(CapturedOutput output) {
		this.runner.withBean(Mistakes.class).withPropertyValues("lock.aspect.validation=off").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("no proxy can lock it")
				.containsPattern("WARN .*lock.aspect.validation=off: these methods run unlocked: "
						+ "\\S*Mistakes\\.hidden\\(\\), \\S*Mistakes\\.sealed\\(\\), \\S*Mistakes\\.shared\\(\\)\\R");
		});
	}

	@Test
	void methodsOfOneClassWithTheSameKeyAndNoNameCauseAWarning(CapturedOutput output) {
		this.runner.withBean(SameKey.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce("SameKey.pay(String) and ")
				.containsPattern("WARN .*SameKey\\.pay\\(String\\) and ")
				.contains("SameKey.refund(String) have the same key '#id' and no name");
		});
	}

	@Test
	void callBeforeTheApplicationIsReadyIsLocked() {
		this.runner.withBean(Orders.class).withUserConfiguration(CallsEarly.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(locks(context).names()).containsExactly("orders:early");
		});
	}

	@Test
	void beansAreCreatedWithoutWarningsOfTheContainer(CapturedOutput output) {
		this.runner.withBean(Orders.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
		});
	}

	@Test
	void semaphoreOfAStoreWithoutPermitsStopsTheStart() {
		this.withoutBackend.withBean("locks", RecordingLockOperations.class, Majority::new)
			.withPropertyValues("lock.locks.report.permits=3")
			.withBean(Reports.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContainingAll("Reports.create()", "would fail at every call: keep semaphores in one Redis"));
	}

	@Test
	void leaseOfAStoreWithoutSuchLeasesStopsTheStart() {
		this.withoutBackend.withBean("locks", RecordingLockOperations.class, Majority::new)
			.withBean(Leases.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("Leases.own() would fail at every call")
				.hasMessageContaining("Leases.fixed() would fail at every call"));
	}

	@Test
	void semaphoreMayNameATemplateThatSupportsPermits() {
		this.withoutBackend.withBean("oneRedis", RecordingLockOperations.class, RecordingLockOperations::new)
			.withBean(OtherReports.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void methodWithoutParameterNamesStopsTheStart(@TempDir Path directory) throws Exception {
		Class<?> type = compileWithoutParameters(directory);
		this.runner.withClassLoader(type.getClassLoader())
			.withBean(type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("Nameless.pay(String) names the unknown variable '#id'")
				.hasMessageContaining("compile with -parameters"));
	}

	@Test
	void methodThatNamesItsTemplateNeedsNoPrimaryOne() {
		this.withoutBackend.withUserConfiguration(FurtherTemplate.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(Elsewhere.class).run();
			assertThat(context.getBean("nowhere", RecordingLockOperations.class).names()).containsExactly("elsewhere");
		});
	}

	@Test
	void methodThatTheDefinitionOfTheBeanNamesStopsTheStart() {
		this.runner.withBean("warmUp", Initialized.class, Initialized::new, (definition) -> {
			definition.setInitMethodName("init");
			definition.setDestroyMethodName("stop");
		})
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("Initialized.stop() is called by the container on the bean itself")
				.hasMessageContaining("Initialized.init() is called by the container on the bean itself"));
	}

	@Test
	void childContextWithTheAutoConfigurationLocksByTheParentsTemplate() {
		this.runner.run((context) -> this.withoutBackend.withParent(context).withBean(Greeting.class).run((child) -> {
			child.getBean(Greeting.class).greet("you");
			assertThat(locks(context).names()).containsExactly("greeting:you");
		}));
	}

	@Test
	void skippedCallIsFollowedByARunAfterTheCloseOfAChildContext() {
		this.withoutBackend.withConfiguration(AutoConfigurations.of(LocalLockAutoConfiguration.class))
			.withPropertyValues("lock.backend=local", "lock.on-not-acquired=rerun")
			.withBean(Orders.class)
			.run((context) -> {
				this.withoutBackend.withParent(context).run((child) -> assertThat(child).hasNotFailed());
				LockOperations locks = context.getBean(LockOperations.class);
				LockHandle busy = locks.acquire("orders:42");
				context.getBean(Orders.class).pay("42");
				busy.close();
				Awaitility.await().until(() -> !locks.list("begun:*", null, 1).isEmpty());
			});
	}

	@Test
	void skipOfAPrimitiveResultByAPropertyStopsTheStart() {
		this.runner.withBean(Counter.class)
			.withPropertyValues("lock.on-not-acquired=skip")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("Counter.count() is invalid: it returns long"));
	}

	@Test
	void selfInvocationLogsAWarning(CapturedOutput output) {
		this.runner.withBean(Selfish.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce(
					"Selfish.direct calls locked() on its own object, where the called method runs without its lock")
				.doesNotContain("Selfish.byReferenceToOthers", "Selfish.throughTheBean", "Selfish.sameLock");
		});
	}

	@Test
	void scheduledJobIsNotReported(CapturedOutput output) {
		this.runner.withBean(Job.class)
			.withBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME, Object.class)
			.run((context) -> assertThat(output).doesNotContain("Job.run()"));
	}

	@Test
	void permitsWithoutASemaphoreOrWithTwoNumbersLogWarnings(CapturedOutput output) {
		this.runner.withBean(Reports.class)
			.withBean(Greeting.class)
			.withPropertyValues("lock.locks.greeting.permits=3", "lock.locks.report.permits=2")
			.run((context) -> assertThat(output)
				.contains("lock.locks[greeting].permits does not apply: ",
						"Greeting.greet(String) has an exclusive lock", "The semaphore 'report' has 2 permits by ",
						"Reports.create() and 3 permits by ")
				.doesNotContain("lock.locks[report].permits does not apply"));
	}

	@Test
	void locksOfOneJvmLogAWarning(CapturedOutput output) {
		this.withoutBackend.withConfiguration(AutoConfigurations.of(LocalLockAutoConfiguration.class))
			.withPropertyValues("lock.backend=local")
			.run((context) -> assertThat(output)
				.containsOnlyOnce("lock.backend=local: locks exclude callers of this JVM only"));
	}

	@Test
	void settingsOfANameWithoutAMethodLogAWarning(CapturedOutput output) {
		this.runner.withBean(Greeting.class)
			.withPropertyValues("lock.locks.greeting.wait-time=1s", "lock.locks.greetign.wait-time=1s")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).containsOnlyOnce("Settings under lock.locks are not used")
					.contains("has the name 'greetign'; the known names are: 'greeting'");
			});
	}

	@Test
	void invalidAnnotationFailsAtTheCallIfTheCheckIsOff() {
		this.runner.withBean(Counter.class)
			.withPropertyValues("lock.on-not-acquired=skip", "lock.aspect.validation=off")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(InvalidLockAnnotationException.class)
					.isThrownBy(context.getBean(Counter.class)::count);
			});
	}

	private static Class<?> compileWithoutParameters(Path directory) throws Exception {
		Path source = Files.writeString(directory.resolve("Nameless.java"), """
				public class Nameless {
					@io.github.lockboot.annotation.DistributedLock(key = "#id")
					public void pay(String id) {
					}
				}
				""");
		int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", source.toString());
		assertThat(result).isZero();
		return new URLClassLoader(new URL[] { directory.toUri().toURL() },
				DistributedLockAutoConfigurationTests.class.getClassLoader())
			.loadClass("Nameless");
	}

	private static ApplicationContextRunner lazy(ApplicationContextRunner runner) {
		return runner.withInitializer(
				(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
	}

	private static int orderIn(ApplicationContext context) {
		return ((Ordered) context.getBean("lockbootAdvisor")).getOrder();
	}

	private static RecordingLockOperations locks(ApplicationContext context) {
		return (RecordingLockOperations) context.getBean(LockOperations.class);
	}

	private static void assertLocked(ApplicationContext context, String name) {
		context.getBean(Orders.class).pay("42");
		assertThat(locks(context).names()).containsExactly(name);
	}

	public static class Orders {

		@DistributedLock(name = "orders", key = "#id")
		public void pay(String id) {
		}

	}

	interface Greeter {

		void greet(String name);

	}

	static class Greeting implements Greeter {

		@Override
		@DistributedLock(name = "greeting", key = "#name")
		public void greet(String name) {
		}

	}

	static class SameKey {

		@DistributedLock("#id")
		public void pay(String id) {
		}

		@DistributedLock("#id")
		public void refund(String id) {
		}

		@DistributedLock(name = "other", key = "#id")
		public void other(String id) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CallsEarly {

		@Bean
		String early(Orders orders) {
			orders.pay("early");
			return "early";
		}

	}

	static class Mistakes {

		@DistributedLock
		private void hidden() {
		}

		@DistributedLock
		public static void shared() {
		}

		@DistributedLock
		public final void sealed() {
			hidden();
		}

	}

	static class Elsewhere {

		@DistributedLock(name = "elsewhere", template = "nowhere")
		public void run() {
		}

	}

	static class Initialized {

		@DistributedLock
		public void init() {
		}

		@DistributedLock
		public void stop() {
		}

	}

	public static class Counter {

		@DistributedLock
		public long count() {
			return 1;
		}

	}

	static class Selfish {

		private @Nullable Selfish bean;

		@DistributedLock(name = "own")
		public void locked(String id) {
		}

		public void direct() {
			locked("42");
		}

		public BiConsumer<Selfish, String> byReferenceToOthers() {
			return Selfish::locked;
		}

		@DistributedLock(name = "own")
		public void sameLock() {
			locked("42");
		}

		public void throughTheBean() {
			if (this.bean != null) {
				this.bean.locked("42");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Elsewhere.class)
	static class FurtherTemplate {

		@Bean(defaultCandidate = false)
		RecordingLockOperations nowhere() {
			return new RecordingLockOperations();
		}

	}

	static class Majority extends RecordingLockOperations {

		@Override
		public void requireSupported(LockRequest request) {
			throw new UnsupportedOperationException("keep semaphores in one Redis");
		}

	}

	static class Leases {

		@DistributedLock(leaseTime = "5s")
		public void own() {
		}

		@DistributedLock(renew = Renew.OFF)
		public void fixed() {
		}

	}

	static class Job {

		@Scheduled(fixedRate = 60_000)
		@ScheduledLock(name = "job", minHoldTime = "30s")
		public void run() {
		}

	}

	static class Reports {

		@DistributedSemaphore(name = "report")
		void create() {
		}

		@DistributedSemaphore(name = "report", permits = "3")
		void print() {
		}

	}

	static class OtherReports {

		@DistributedSemaphore(permits = "2", template = "oneRedis")
		void create() {
		}

	}

}
