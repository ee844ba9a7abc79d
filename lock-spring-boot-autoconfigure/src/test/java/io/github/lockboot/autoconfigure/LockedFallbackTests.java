package io.github.lockboot.autoconfigure;

import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.InvalidLockAnnotationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fallbacks that are locked themselves: none of them runs without its lock.
 */
class LockedFallbackTests {

	private final ApplicationContextRunner runner = LockRunners.local(AopAutoConfiguration.class)
		.withPropertyValues("lock.wait-time=0");

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			Itself       | its fallback 'pay' is the method itself
			ItselfByBean | its fallback 'payments::pay' is the method itself
			Overriding   | its fallback 'apply' is the method itself
			LockedLater  | its fallback 'later' has a lock of its own, by @DistributedLock
			LockedLater  | write bean::later
			LockedClass  | its fallback 'later' has a lock of its own, by @DistributedLock
			""")
	void methodThatIsItsOwnFallbackOrHasALockedOneInItsObjectStopsTheStart(String type, String message)
			throws ClassNotFoundException {
		this.runner.withBean("payments", Class.forName(getClass().getName() + "$" + type))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContainingAll("LockedFallbackTests$" + type + ".", message));
	}

	@Test
	void methodThatIsItsOwnFallbackBehindAnInterfaceProxyStopsTheStart() {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("payments", Payments.class, PaymentsService::new)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("its fallback 'payments::pay' is the method itself"));
	}

	@Test
	void fallbackThatIsNamedByItsBeanAcquiresItsLock() {
		this.runner.withBean("payments", LockedByBean.class).run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			try (LockHandle busy = locks.acquire("pay")) {
				assertThat(busy.isHeld()).isTrue();
				assertThat(context.getBean(LockedByBean.class).pay(locks)).isEqualTo("later held: true");
			}
		});
	}

	@Test
	void fallbacksThatLeadBackToTheMethodStopTheStart() {
		this.runner.withBean("payments", Payer.class)
			.withBean("loans", Lender.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContainingAll("LockedFallbackTests$Payer.pay(String) is invalid",
						"its fallback 'loans::lend' leads back to the method"));
	}

	static class Itself {

		@DistributedLock(fallback = "pay")
		public String pay(String order) {
			return order;
		}

	}

	static class ItselfByBean {

		@DistributedLock(fallback = "payments::pay")
		public String pay(String order) {
			return order;
		}

	}

	interface Payments {

		@DistributedLock(fallback = "payments::pay")
		String pay(String order);

	}

	static class PaymentsService implements Payments {

		@Override
		public String pay(String order) {
			return order;
		}

	}

	/** Has a bridge method from {@code Object} to {@code String}. */
	static class Overriding implements Function<String, String> {

		@Override
		@DistributedLock(fallback = "apply")
		public String apply(String order) {
			return order;
		}

	}

	static class LockedLater {

		@DistributedLock(name = "pay", fallback = "later")
		public String pay(String order) {
			return order;
		}

		@DistributedLock(name = "later")
		public String later(String order) {
			return order;
		}

	}

	@DistributedLock(name = "pay", fallback = "later")
	static class LockedClass {

		public String pay(String order) {
			return order;
		}

		public String later(String order) {
			return order;
		}

	}

	static class Payer {

		@DistributedLock(name = "pay", fallback = "loans::lend")
		public String pay(String order) {
			return order;
		}

	}

	static class Lender {

		@DistributedLock(name = "lend", fallback = "payments::pay")
		public String lend(String order) {
			return order;
		}

	}

	static class LockedByBean {

		@DistributedLock(name = "pay", fallback = "payments::later")
		public String pay(LockOperations locks) {
			return "paid";
		}

		@DistributedLock(name = "later")
		public String later(LockOperations locks) {
			return "later held: " + locks.inspect("later").isHeld();
		}

	}

}
