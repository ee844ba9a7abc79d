package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holders are warned before they lose their lock. The lease of 30 seconds, less 302 ms
 * for drift, is to be renewed after 10 seconds: half of the rest is over after 19.8
 * seconds, and three quarters of it after 24.8 seconds.
 */
class RiskTests extends SteppedLocks {

	private static final LockRequest REQUEST = LockRequest.of("risk:42");

	@AutoClose
	private final CapturedLog log = new CapturedLog();

	@Override
	LockListener listener() {
		return new LockListener() {

			@Override
			public void onAtRisk(LockRequest request, LockHandle handle, String reason, Duration left) {
				RiskTests.this.events.add(left.toMillis() + " ms left: " + reason.replaceAll(";.*", ""));
			}

		};
	}

	@Test
	void aHolderWhoseRenewalFailsIsWarnedAtHalfAndAtAQuarterOfWhatRemains() {
		this.locks.acquire(REQUEST);
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofMillis(19_840));
		assertThat(logged()).isEmpty();
		this.clock.advance(Duration.ofMillis(10));
		awaitEvents("9849 ms left: its renewal failed: java.lang.IllegalStateException: store is down");
		this.clock.advance(Duration.ofSeconds(5));
		awaitEvents("9849 ms left: its renewal failed: java.lang.IllegalStateException: store is down",
				"4924 ms left: its renewal failed: java.lang.IllegalStateException: store is down");
	}

	@Test
	void aHolderWhoseRenewalHasNoReplyIsWarnedWithoutAnotherRequest() {
		this.locks.acquire(REQUEST);
		this.store.onRenew(CompletableFuture::new);
		this.clock.advance(Duration.ofSeconds(20));
		awaitEvents("9849 ms left: its renewal is 9849 ms late");
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
	}

	@Test
	void aHolderIsWarnedOnceIfItsJvmWasNotRunning() {
		this.locks.acquire(REQUEST);
		this.clock.jump(Duration.ofSeconds(26));
		this.clock.advance(Duration.ZERO);
		awaitEvents("3698 ms left: its renewal is 16000 ms late");
		assertThat(logged()).hasSize(1);
	}

	@Test
	void theLogHasOneWarningForALeaseEvenIfItIsAtRiskAgain() {
		this.locks.acquire(REQUEST);
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(26));
		assertThat(logged()).containsExactly("WARN Lock 'risk:42' is at risk: its renewal failed:"
				+ " java.lang.IllegalStateException: store is down; never renewed, deadline in 9849 ms");
		this.store.onRenew(FakeStore::renewed);
		this.clock.advance(Duration.ofSeconds(1));
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(20));
		Awaitility.await().until(() -> this.events.size() == 3);
		assertThat(logged()).hasSize(1);
	}

	@Test
	void aHolderWhoseLeaseIsRenewedInTimeIsNotWarned() {
		this.locks.acquire(REQUEST);
		this.clock.advance(Duration.ofHours(1));
		assertThat(logged()).isEmpty();
	}

	@Test
	void aHolderWhoseLeaseIsNotRenewedIsWarned() {
		this.locks.acquire(REQUEST.renew(false));
		this.clock.advance(Duration.ofSeconds(20));
		awaitEvents("9849 ms left: its lease is not renewed");
	}

	@Test
	void aHolderIsWarnedBeforeTheEndOfItsMaxHoldTime() {
		this.locks.acquire(REQUEST.maxHoldTime(Duration.ofMinutes(1)));
		this.clock.advance(Duration.ofSeconds(49));
		assertThat(logged()).isEmpty();
		this.clock.advance(Duration.ofSeconds(2));
		Awaitility.await().until(() -> this.events.size() == 1);
		this.clock.advance(Duration.ofSeconds(5));
		Awaitility.await().until(() -> this.events.size() == 2);
		assertThat(this.events)
			.allSatisfy((warning) -> assertThat(warning).endsWith("ms left: its maximum hold time is nearly over"));
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(logged()).hasSize(1);
	}

	@Test
	void eachHolderOfASharedLeaseIsWarned() {
		this.locks.acquire(REQUEST.shared());
		this.locks.acquire(REQUEST.shared());
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(20));
		Awaitility.await().until(() -> this.events.size() == 2);
		assertThat(logged()).hasSize(1);
	}

	@Test
	void eachOfSeveralLocksIsAtRiskAlone() {
		this.locks.acquire(REQUEST.names(List.of("risk:1", "risk:2")));
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(20));
		Awaitility.await().until(() -> this.events.size() == 2);
		assertThat(logged()).hasSize(2);
	}

	@Test
	void aLeaseThatIsShortenedWithoutAReplyIsAtRiskByItsNewLength() {
		LockHandle first = this.locks.acquire(REQUEST);
		CompletableFuture<LockHandle> second = this.locks.acquireAsync(REQUEST.leaseTime(Duration.ofSeconds(3)))
			.toCompletableFuture();
		this.store.onRenew(CompletableFuture::new);
		first.closeAsync();
		assertThat(second).succeedsWithin(Duration.ofSeconds(30));
		this.clock.advance(Duration.ofMillis(1_900));
		assertThat(logged()).isEmpty();
		this.clock.advance(Duration.ofMillis(200));
		assertThat(logged()).hasSize(1);
	}

	private List<String> logged() {
		return this.log.lines("is at risk");
	}

}
