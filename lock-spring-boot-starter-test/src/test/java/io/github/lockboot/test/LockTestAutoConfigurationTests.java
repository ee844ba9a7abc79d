package io.github.lockboot.test;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.context.TestContext;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;
import io.github.lockboot.autoconfigure.RedisLockAutoConfiguration;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.local.LocalLockTemplate;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;

/**
 * The beans for the application of a test.
 */
class LockTestAutoConfigurationTests {

	private static final String BOOT_TEST = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LocalLockAutoConfiguration.class, LockTestAutoConfiguration.class));

	@Test
	void journalAndOtherNodeAreBeansIfThereIsATemplate() {
		this.runner.withPropertyValues("lock.backend=local").run((context) -> {
			assertThat(context).hasSingleBean(LockJournal.class).hasSingleBean(OtherNode.class);
		});
	}

	@Test
	void theJournalOfAnApplicationThatIsNoTestRecordsNothing() {
		this.runner.withPropertyValues("lock.backend=local").run((context) -> {
			context.getBean(LockOperations.class).acquire("order:1").close();
			LockJournal journal = context.getBean(LockJournal.class);
			assertThat(journal.events()).isEmpty();
			assertThatIllegalStateException().isThrownBy(() -> assertThat(journal).hasAcquiredNothing())
				.withMessageContaining("define a bean of the type LockJournal");
		});
	}

	@ParameterizedTest
	@CsvSource({ "Field, true", "Parameter, true", "Nesting.Nested, true", "LoadTest, false" })
	void theJournalRecordsOnlyIfTheTestClassAsksForEvents(String testClass, boolean recorded) {
		this.runner.withPropertyValues("lock.backend=local", BOOT_TEST + "=true").run((context) -> {
			TestContext test = Mockito.mock(TestContext.class);
			given(test.hasApplicationContext()).willReturn(true);
			given(test.getApplicationContext()).willReturn(context.getSourceApplicationContext());
			Class<?> type = Class.forName(getClass().getName() + "$" + testClass.replace('.', '$'));
			Mockito.doReturn(type).when(test).getTestClass();
			new LockTestExecutionListener().beforeTestMethod(test);
			context.getBean(LockOperations.class).acquire("order:1").close();
			assertThat(context.getBean(LockJournal.class).events()).hasSize(recorded ? 2 : 0);
		});
	}

	static class Field {

		@Nullable LockJournal journal;

	}

	static class Parameter {

		void test(OtherNode otherNode) {
		}

	}

	static class Nesting extends Field {

		class Nested {

		}

	}

	static class LoadTest {

		void test(LockOperations locks) {
		}

	}

	@Test
	void thereIsNoOtherNodeWithoutATemplate() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OtherNode.class));
	}

	@Test
	void usersBeansTakePrecedence() {
		LockJournal journal = new LockJournal();
		this.runner.withPropertyValues("lock.backend=local")
			.withBean("mine", LockJournal.class, () -> journal)
			.run((context) -> assertThat(context).getBean(LockJournal.class).isSameAs(journal));
	}

	@Test
	void templateBehindAProxyHasAnotherNodeToo() {
		LockJournal journal = new LockJournal();
		try (LocalLockTemplate template = new LocalLockTemplate(LockDefaults.defaults(), List.of(journal))) {
			LockOperations proxy = (LockOperations) new ProxyFactory(template).getProxy();
			try (OtherNode otherNode = OtherNode.beside(proxy, journal); LockHandle held = otherNode.hold("order:1")) {
				assertThat(held).isHeld();
				assertThat(journal).hasAcquiredNothing();
			}
		}
	}

	/** What {@code @ServiceConnection} does, without a container. */
	@Test
	void locksAndTheOtherNodeUseTheServerOfTheConnectionDetails() {
		RedisServer redis = RedisFixture.shared();
		this.runner
			.withConfiguration(
					AutoConfigurations.of(DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.host=no-such-host.invalid")
			.withBean(DataRedisConnectionDetails.class, () -> new DataRedisConnectionDetails() {

				@Override
				public Standalone getStandalone() {
					return Standalone.of(redis.host(), redis.port());
				}

			})
			.run((context) -> {
				context.getBean(OtherNode.class).hold("order:4711");
				assertThat(context.getBean(LockOperations.class)).lock("order:4711").isHeld();
				assertThat(context.getBean(StringRedisTemplate.class).hasKey("lock:{order:4711}")).isTrue();
			});
	}

}
