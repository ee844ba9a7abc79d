package io.github.lockboot.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The activity that a template reports.
 */
class ActivityTests extends SteppedLocks {

	@Test
	void anIdleTemplateReportsNothing() {
		this.locks.acquire("a").close();
		assertThat(this.locks.activity()).isEqualTo(LockActivity.none());
	}

	@Test
	void reportOfAHoldAgreesWithTheStoreAndItsHandle() {
		LockHandle handle = this.locks.acquire("a");
		this.clock.jump(Duration.ofSeconds(5));
		assertThat(this.locks.activity().held()).singleElement().satisfies((held) -> {
			assertThat(held.name()).isEqualTo("a");
			assertThat(held.owner()).isEqualTo(this.store.lastAttempt().id());
			assertThat(held.fencingToken()).isEqualTo(handle.fencingToken());
			assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(held.since()).isCloseTo(Instant.now().minusSeconds(5), within(Duration.ofSeconds(60)));
			assertThat(held.lease()).isEqualTo(Duration.ofSeconds(30));
			assertThat(held.remaining()).isEqualTo(handle.remainingLease());
			assertThat(held.overdue()).isZero();
			assertThat(held.waiters()).isZero();
		});
	}

	@Test
	void holdsOfAllKindsAreReportedOldestFirst() {
		this.locks.acquire("exclusive");
		this.clock.jump(Duration.ofSeconds(1));
		this.locks.acquire(LockRequest.of("shared").shared());
		this.clock.jump(Duration.ofSeconds(1));
		this.locks.acquire(LockRequest.of("shared").shared());
		this.clock.jump(Duration.ofSeconds(1));
		this.locks.acquire(LockRequest.of("fair").fair(true));
		this.clock.jump(Duration.ofSeconds(1));
		this.locks.acquire(LockRequest.of("semaphore").permits(3));
		assertThat(this.locks.activity().held()).extracting(LockActivity.Held::name)
			.containsExactly("exclusive", "shared", "shared", "fair", "semaphore");
	}

	@Test
	void waitersAreReportedAndCountedAtTheLockTheyWaitFor() {
		this.locks.acquire("a");
		this.locks.acquireAsync(LockRequest.of("a"));
		this.clock.jump(Duration.ofSeconds(1));
		this.store.onAcquire(() -> FakeStore.queued(60_000, 1));
		this.locks.acquireAsync(LockRequest.of("elsewhere"));
		assertThat(this.locks.activity().waiting()).extracting(LockActivity.Waiting::name)
			.containsExactly("a", "elsewhere");
		assertThat(this.locks.activity().held()).singleElement().extracting(LockActivity.Held::waiters).isEqualTo(1L);
	}

	@Test
	void threadOfAWaiterIsReported() throws InterruptedException {
		this.store.onAcquire(CompletableFuture::new);
		Thread thread = new Thread(() -> this.locks.acquireAsync(LockRequest.of("a")), "clerk");
		thread.start();
		thread.join();
		assertThat(this.locks.activity().waiting()).singleElement()
			.extracting(LockActivity.Waiting::thread)
			.isEqualTo("clerk");
	}

	@Test
	void lostLockIsReported() {
		LockHandle handle = this.locks.acquire("a");
		this.clock.jump(Duration.ofSeconds(30).plusNanos(345_678));
		handle.close();
		assertThat(this.locks.activity().lost()).singleElement().satisfies((lost) -> {
			assertThat(lost.name()).isEqualTo("a");
			assertThat(lost.owner()).isNotEmpty();
			assertThat(lost.fencingToken()).isEqualTo(handle.fencingToken());
			assertThat(lost.thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(lost.held()).isEqualTo(Duration.ofSeconds(30));
			assertThat(lost.reason()).contains("its lease had run out");
		});
		assertThat(this.locks.activity().held()).isEmpty();
	}

	@Test
	void theLastHundredLossesAreKeptTheLatestFirst() {
		IntStream.range(0, 101).forEach((number) -> {
			LockHandle handle = this.locks.acquire("a" + number);
			this.clock.jump(Duration.ofSeconds(30));
			handle.close();
		});
		assertThat(this.locks.activity().lost()).hasSize(100)
			.extracting(LockActivity.Lost::name)
			.startsWith("a100")
			.endsWith("a1");
	}

	@Test
	void failedRenewalIsOverdueAfterAThirdOfTheLease() {
		this.locks.acquire("a");
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(15));
		assertThat(this.locks.activity().held()).singleElement()
			.extracting(LockActivity.Held::overdue)
			.isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void fixedLeaseIsNeverOverdue() {
		this.locks.acquire(LockRequest.of("a").renew(false));
		this.clock.advance(Duration.ofSeconds(15));
		assertThat(this.locks.activity().held()).singleElement()
			.extracting(LockActivity.Held::overdue)
			.isEqualTo(Duration.ZERO);
	}

	@Test
	void theSlowestRenewalIsReportedWithItsFailedTries() {
		this.locks.acquire("a");
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(15));
		this.store.onRenew(FakeStore::renewed);
		this.clock.advance(Duration.ofSeconds(40));
		assertThat(this.locks.activity().slowestRenewal()).isNotNull().satisfies((slowest) -> {
			assertThat(slowest.name()).isEqualTo("a");
			assertThat(slowest.took()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
		});
	}

	@Test
	void theSlowestRenewalIsForgottenAfterTwoMinutes() {
		LockHandle handle = this.locks.acquire("a");
		this.clock.advance(Duration.ofSeconds(15));
		handle.close();
		assertThat(this.locks.activity().slowestRenewal()).isNotNull();
		this.clock.advance(Duration.ofMinutes(2));
		assertThat(this.locks.activity().slowestRenewal()).isNull();
	}

}
