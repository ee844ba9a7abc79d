package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Redis is frozen, dies and restarts while locks are in use.
 */
@Timeout(60)
class RedisLockTemplateOutageTests {

	private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

	/** Allowance for a busy machine, added to each time limit. */
	private static final Duration SLACK = Duration.ofSeconds(2);

	private static final LockRequest ONCE = LockRequest.of("orders:42").waitTime(Duration.ZERO);

	private final RedisServer redis = RedisFixture.newServer(RedisOptions.defaults().withPersistence());

	private final RedisLockTemplate locks = new RedisLockTemplate(Applications.of(this.redis),
			RedisLockSettings.defaults().withCommandTimeout(COMMAND_TIMEOUT), List.of());

	@AfterEach
	void close() {
		this.locks.close();
		this.redis.close();
	}

	@Test
	void aTryOnAFrozenServerFailsWithinTheCommandTimeout() {
		this.redis.freeze();
		assertThat(failure(ONCE)).isLessThan(COMMAND_TIMEOUT.plus(SLACK));
	}

	@Test
	void aWaitOnAFrozenServerEndsAtItsWaitTimeAndNotAtTheCommandTimeout() {
		Duration halfAMinute = Duration.ofSeconds(30);
		try (RedisLockTemplate patient = new RedisLockTemplate(Applications.of(this.redis),
				RedisLockSettings.defaults().withCommandTimeout(halfAMinute), List.of())) {
			this.redis.freeze();
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> patient.acquire(ONCE.waitTime(Duration.ofMillis(100))))
				.withMessageContaining("no reply for");
			assertThat(since(start)).isLessThan(halfAMinute.dividedBy(2));
			this.redis.thaw();
		}
	}

	@Test
	void aHoldOnAFrozenServerIsLostAtTheEndOfItsLeaseAndNotBefore() {
		LockHandle lock = this.locks.acquire(ONCE.leaseTime(Duration.ofMillis(900)));
		AtomicInteger losses = new AtomicInteger();
		lock.onLost(losses::incrementAndGet);
		long frozen = System.nanoTime();
		this.redis.freeze();
		Awaitility.await().untilAtomic(losses, (count) -> assertThat(count).isOne());
		assertThat(lock.isHeld()).isFalse();
		assertThat(since(frozen)).isBetween(Duration.ofMillis(550), Duration.ofMillis(900).plus(SLACK));
	}

	@Test
	void aTryOnADeadServerFailsAtOnce() {
		this.redis.kill();
		assertThat(failure(ONCE)).isLessThan(COMMAND_TIMEOUT.plus(SLACK));
		Awaitility.await().until(() -> failure(ONCE).compareTo(COMMAND_TIMEOUT) < 0);
	}

	@Test
	void triesOnADeadServerLeaveNoReleaseForLater() {
		this.redis.kill();
		Awaitility.await().until(() -> failure(ONCE).compareTo(COMMAND_TIMEOUT) < 0);
		for (int i = 0; i < 500; i++) {
			failure(ONCE.name("orders:42:" + i));
		}
		this.redis.start();
		this.locks.acquire(ONCE.name("invoices:1").waitTime(Duration.ofSeconds(30))).close();
		// one or two may have been pending when the server died
		assertThat(this.redis.commandsDuring(RedisLockTemplateOutageTests::twoSeconds).of("evalsha")).isLessThan(5);
	}

	@Test
	void aHoldWhoseKeyIsMissingAfterARestartIsLostAndTheNextCallerAcquiresTheLock() {
		LockHandle lock = this.locks.acquire(ONCE.leaseTime(Duration.ofSeconds(2)));
		AtomicInteger losses = new AtomicInteger();
		lock.onLost(losses::incrementAndGet);
		this.redis.restartEmpty();
		Awaitility.await().untilAtomic(losses, (count) -> assertThat(count).isOne());
		assertThat(lock.isHeld()).isFalse();
		try (LockHandle next = this.locks.acquire(ONCE)) {
			assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
		}
	}

	@Test
	void closeReturnsWhileTheServerIsDownAndTheLockIsFreeAfterItsLease() {
		LockHandle lock = this.locks.acquire(ONCE.leaseTime(Duration.ofSeconds(1)));
		this.redis.kill();
		long start = System.nanoTime();
		lock.close();
		assertThat(since(start)).isLessThan(COMMAND_TIMEOUT.plus(SLACK));
		assertThat(lock.isHeld()).isFalse();
		this.redis.start();
		this.locks.acquire(ONCE.waitTime(Duration.ofSeconds(20))).close();
	}

	@Test
	void closingTheTemplateOnAFrozenServerReturns() {
		RedisLockTemplate closing = RedisConnections.template(Applications.of(this.redis));
		this.redis.freeze();
		long start = System.nanoTime();
		closing.close();
		assertThat(since(start)).isLessThan(Duration.ofSeconds(8));
	}

	private Duration failure(LockRequest request) {
		long start = System.nanoTime();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire(request))
			.withMessageContaining("orders:42")
			.satisfies((ex) -> assertThat(ex.getCause()).isInstanceOf(io.lettuce.core.RedisException.class));
		return since(start);
	}

	private static void twoSeconds() {
		Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
	}

	private static Duration since(long nanos) {
		return Duration.ofNanos(System.nanoTime() - nanos);
	}

}
