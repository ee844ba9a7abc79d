package io.github.lockboot.autoconfigure;

import org.aspectj.weaver.Advice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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
import org.springframework.core.Ordered;

import io.github.lockboot.LockOperations;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.annotation.NoLockOperationsException;

import static org.assertj.core.api.Assertions.assertThat;

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
	void annotatedBeanIsLockedWithoutAutoConfigurationOfAop() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
			.withBean(RecordingLockOperations.class)
			.withBean(Orders.class)
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

}
