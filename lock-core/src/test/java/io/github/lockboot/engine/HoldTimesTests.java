package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockStore.AcquireReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fixed leases, and limits of the time for which a lock is held.
 */
class HoldTimesTests extends SteppedEngine {

	/** Until when the store keeps the lock for a holder that dies. */
	private long renewedMillis;

	@Test
	void fixedLeaseIsNotRenewedAndEndsAsLost() {
		Hold hold = acquired(waiter(LockRequest.of("a").renew(false)));
		this.clock.advance(LEASE);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		assertThat(hold.loss()).hasMessageContaining("its lease of 30000 ms ran out and was not to be renewed");
	}

	@Test
	void fixedLeaseDoesNotStartOnTheRestOfAnother() {
		Hold first = acquired(waiter());
		submitted(waiter(LockRequest.of("a").renew(false)));
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void lockIsLostAfterItsMaxHoldTime() {
		Hold hold = acquired(waiter(LockRequest.of("a").maxHoldTime(Duration.ofMinutes(1))));
		this.clock.advance(Duration.ofSeconds(50));
		assertThat(hold.isHeld()).isTrue();
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(hold.isHeld()).isFalse();
		assertThat(hold.loss()).hasMessageContaining("longer than its maximum hold time");
	}

	@ParameterizedTest
	@CsvSource({ ", false", "PT1H, true", "PT0S, true" })
	void theMaxHoldTimeOfTheDefaultsIsThatOfRequestsWithoutTheirOwn(@Nullable Duration own, boolean held) {
		LockDefaults defaults = LockDefaults.defaults().withMaxHoldTime(Duration.ofMillis(100));
		try (LockTemplate template = new LockTemplate(this.store, this.clock, defaults, List.of());
				LockHandle lock = template.acquire(LockRequest.of("b").maxHoldTime(own))) {
			this.clock.advance(Duration.ofMillis(100));
			assertThat(lock.isHeld()).isEqualTo(held);
		}
	}

	@Test
	void aLockWhoseMaxHoldTimeIsTooLongToCountIsRenewed() {
		Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
		try (LockTemplate template = new LockTemplate(this.store, this.clock, LockDefaults.defaults(), List.of());
				LockHandle lock = template.acquire(LockRequest.of("b").maxHoldTime(forever))) {
			for (int thirds = 0; thirds < 9; thirds++) {
				this.clock.advance(Duration.ofSeconds(10));
			}
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void aNestedSectionWithItsOwnLeaseKeepsTheRenewalOfTheOuterOne() {
		LockRequest outer = LockRequest.of("b");
		try (LockTemplate template = new LockTemplate(this.store, this.clock, LockDefaults.defaults(), List.of())) {
			template.execute(outer, () -> {
				template.execute(outer.leaseTime(Duration.ofMillis(100)).renew(false), () -> "inner");
				this.clock.advance(Duration.ofMinutes(1));
				template.ensureHeld("b");
			});
		}
		assertThat(this.store.takeCalls()).contains("renew");
	}

	@Test
	void maxHoldTimeLimitsTheLease() {
		acquired(waiter(LockRequest.of("a").maxHoldTime(Duration.ofSeconds(5))));
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(5_000);
	}

	@ParameterizedTest
	@CsvSource({ "20, release later, 15000", "4, release, 30000" })
	void lockReleasedTooSoonStaysHeldForTheRestOfItsMinHoldTime(long minSeconds, String call, long millis) {
		Hold hold = acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(minSeconds))));
		this.clock.advance(Duration.ofSeconds(5));
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", call);
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(millis);
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void latePushOfAGrantDoesNotEndAMinHoldTime() {
		acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(20)))).close();
		this.store.takeCalls();
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(this.store.takeCalls()).isEmpty();
		this.clock.advance(Duration.ofSeconds(20));
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@ParameterizedTest
	@CsvSource({ "false, 0, ''", "true, 0, release later", "false, 20, release", "true, 20, release" })
	void lateReplyToAnAttemptDoesNotEndItsMinHoldTime(boolean fails, long afterSeconds, String call) {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		Waiter waiter = submitted(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(20))));
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		((Hold) waiter.join()).close();
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(afterSeconds));
		StageFailure.pass(this.store.ownedReply(), fails ? new IllegalStateException("no answer") : null, reply);
		assertThat(String.join(",", this.store.takeCalls())).isEqualTo(call);
	}

	@Test
	void attemptThatOnceHadNoReplyIsReleasedAgainAfterItsMinHoldTime() {
		this.store.onAcquire(FakeStore::down);
		Waiter waiter = submitted(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(2))));
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofMillis(1_900));
		this.store.takeCalls();
		((Hold) waiter.join()).close();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.store.takeCalls()).containsExactly("release later", "release later", "release");
	}

	@ParameterizedTest
	@CsvSource({ "20, 10, release later, 10000", "1, 2, release, 30000" })
	void failedReleaseIsRepeatedAndKeepsTheLockForTheRestOfItsMinHoldTime(long minSeconds, long backSeconds,
			String call, long mostMillis) {
		Hold hold = acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(minSeconds))));
		this.store.onRelease(FakeStore::down);
		hold.close();
		this.clock.advance(Duration.ofSeconds(backSeconds));
		this.store.onRelease(FakeStore::released);
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(4));
		assertThat(this.store.takeCalls()).containsExactly(call);
		assertThat(this.store.lastAttempt().leaseMillis()).isBetween(mostMillis - 4_000, mostMillis);
	}

	/** A holder that dies is succeeded at the end of its last lease. */
	@ParameterizedTest
	@CsvSource({ "0, 30", "5, 30", "15, 30", "29, 33", "30, 33", "37, 40", "3600, 3603" })
	void theLeaseCoversTheMinHoldTimeAndIsAsUsualAfterwards(long diesSeconds, long freeSeconds) {
		this.store.onRenew(() -> {
			this.renewedMillis = this.clock.nanoTime() / 1_000_000 + this.store.lastAttempt().leaseMillis();
			return FakeStore.renewed();
		});
		long begin = this.clock.nanoTime() / 1_000_000;
		this.renewedMillis = begin + 30_000;
		acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(30)), 3_000, false));
		this.clock.advance(Duration.ofSeconds(diesSeconds));
		assertThat(this.renewedMillis - begin).isBetween(30_000L, freeSeconds * 1000 + 1);
	}

	@Test
	void aLeaseThatIsPassedOnIsRenewedToCoverTheMinHoldTimeOfTheNextHolder() {
		Hold first = acquired(waiter(LockRequest.of("a")));
		submitted(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(30))));
		this.clock.advance(Duration.ofSeconds(5));
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
	}

	@Test
	void manyKeptLocksAreForgottenOnceTheirTimeIsOver() {
		for (int i = 0; i < 10_000; i++) {
			acquired(waiter(LockRequest.of("a" + i).minHoldTime(Duration.ofSeconds(1)))).close();
			this.clock.advance(Duration.ofMillis(100));
		}
		assertThat(this.engine).extracting("queues", InstanceOfAssertFactories.MAP).hasSizeLessThan(5_000);
	}

	@Test
	void minHoldTimeExtendsTheLease() {
		acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofMinutes(2))));
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(120_000);
	}

}
