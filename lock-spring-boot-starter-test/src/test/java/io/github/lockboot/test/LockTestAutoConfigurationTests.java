package io.github.lockboot.test;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;
import io.github.lockboot.local.LocalLockTemplate;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The beans for the application of a test.
 */
class LockTestAutoConfigurationTests {

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

}
