package io.github.lockboot.lines;

import java.util.ArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application with locks in any store.
 */
@Timeout(60)
abstract class ApplicationContract {

	@Autowired
	LockOperations locks;

	@Autowired
	Orders orders;

	Actuator actuator = new Actuator(0);

	@Autowired
	void setPort(@Value("${local.server.port}") int port) {
		this.actuator = new Actuator(port);
	}

	abstract Class<?> template();

	@Test
	void anAnnotatedMethodHoldsItsLock() {
		assertThat(this.locks).isInstanceOf(template());
		assertThat(this.orders.pay("plain")).isTrue();
		// once the store has the release
		Awaitility.await().until(() -> !this.orders.isLocked("plain"));
	}

	@Test
	void aJobOfShedLockHoldsOurLock() {
		assertThat(this.orders.archive()).isTrue();
	}

	@Test
	void theLockOutlivesTheCommit() {
		assertThat(this.orders.payInTransaction("committed", new ArrayList<>())).containsExactly(true, true);
		Awaitility.await().until(() -> !this.orders.isLocked("committed"));
	}

	@Test
	void aLostLockRollsTheTransactionBack() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.payAndLoseTheLock("lost"));
		assertThat(this.orders.count("lost")).isZero();
	}

	@Test
	void theHealthOfTheLocksIsShown() {
		assertThat(this.actuator.get("health/locks")).satisfies((health) -> {
			assertThat(health.statusCode()).isEqualTo(200);
			assertThat(health.body()).contains("\"status\":\"UP\"").contains("\"held\":");
		});
	}

}
