package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

import static org.assertj.core.api.Assertions.assertThat;

/** How waiters for one lock stay in the store's queue, with a stepped clock. */
class QueuedAttemptsTests extends SteppedEngine {

	private final Map<String, Long> lastSigns = new HashMap<>();

	private long longestGapNanos;

	QueuedAttemptsTests() {
		this.store.onAcquire(() -> queued(60_000)).onKeepQueued((attempts) -> {
			attempts.forEach(this::sign);
			return FakeStore.kept(attempts, 0);
		});
	}

	@Test
	void aThousandWaitersOfOneLockConfirmByAFewCalls() {
		wait(1000);
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(this.store.takeCalls()).hasSizeBetween(5 * 10, 5 * 12)
			.containsOnly("acquire", "keep 300", "keep 100");
	}

	@Test
	void eachIsConfirmedAtLeastEveryTwoSeconds() {
		for (int i = 0; i < 50; i++) {
			wait(20);
			this.clock.advance(Duration.ofMillis(97));
		}
		this.clock.advance(Duration.ofSeconds(20));
		this.lastSigns.keySet().forEach(this::sign);
		assertThat(Duration.ofNanos(this.longestGapNanos)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
	}

	@Test
	void waitersOfDifferentLocksConfirmSeparately() {
		submitted(LockRequest.of("a").fair(true));
		submitted(LockRequest.of("b").fair(true));
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
	}

	@Test
	void attemptThatTheStoreDoesNotKeepRequestsTheLock() {
		wait(2);
		LockAttempt second = this.store.lastAttempt();
		this.store.onKeepQueued((attempts) -> CompletableFuture.completedStage(Map.of()));
		List<LockAttempt> asking = asking();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(asking).contains(second);
		assertThat(this.store.lastQueueing().isAgain()).isTrue();
	}

	@Test
	void onlyTheFirstRequestsTheLockWhileTheStoreCannotPush() {
		wait(3);
		this.store.onKeepQueued((attempts) -> replies(attempts, new AcquireReply.Busy(-1)));
		List<String> asking = new ArrayList<>();
		this.store.onAcquire(() -> {
			asking.add(this.store.lastAttempt().id());
			return FakeStore.busy(60_000);
		});
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(asking).hasSizeGreaterThan(20).containsOnly(asking.get(0));
	}

	@Test
	void onlyTheFirstRequestsTheLockWhileTheStoreFailsAndAllSeeTheFailure() {
		List<Waiter> waiters = wait(3);
		List<String> asking = new ArrayList<>();
		this.store.onAcquire(() -> {
			asking.add(this.store.lastAttempt().id());
			return FakeStore.down();
		}).onKeepQueued((attempts) -> FakeStore.down());
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(asking).hasSizeGreaterThan(2).containsOnly(asking.get(0));
		expire(waiters.get(2));
		assertThat(waiters.get(2).join()).isInstanceOf(Outcome.Failed.class);
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(waiters).allMatch(Waiter::isDone);
	}

	@Test
	void theFirstRequestsTheLockAtOnceWhenItIsFree() {
		wait(2);
		this.store.onKeepQueued((attempts) -> replies(attempts, new AcquireReply.Queued(0, 0, false)));
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(String.join(" ", this.store.takeCalls())).contains("keep 2 acquire");
	}

	@Test
	void theFirstRequestsTheLockEvenIfAllAreKeptOften() {
		this.store.onAcquire(() -> queued(3_600_000));
		wait(1000);
		List<LockAttempt> asking = asking();
		this.clock.advance(Duration.ofSeconds(60));
		assertThat(asking).hasSizeGreaterThan(25).containsOnly(asking.get(0));
	}

	@Test
	void theNextOneRequestsTheLockWhenTheFirstHasLeft() {
		List<Waiter> waiters = wait(3);
		this.clock.advance(Duration.ofSeconds(1));
		expire(waiters.get(0));
		List<LockAttempt> asking = asking();
		this.clock.advance(Duration.ofSeconds(6));
		assertThat(asking).isNotEmpty().containsOnly(asking.get(0));
	}

	@Test
	void theNextOneRequestsALockThatIsFreeSoonerIfTheFirstHasJustLeft() {
		Waiter first = wait(1).get(0);
		String left = this.store.lastAttempt().id();
		wait(1);
		LockAttempt next = this.store.lastAttempt();
		expire(first);
		List<LockAttempt> asking = asking();
		this.store.push().sooner(left, "a");
		assertThat(asking).containsExactly(next);
	}

	@Test
	void notAllRequestTheLockAtOnceWhenTheOwnersLeaseIsOver() {
		this.store.onAcquire(() -> queued(500));
		wait(1000);
		this.store.takeCalls();
		this.store.onAcquire(() -> queued(60_000));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.store.takeCalls()).hasSizeBetween(1, 15);
	}

	@Test
	void theFirstRequestsTheLockWhenTheOwnersLeaseIsOver() {
		this.store.onAcquire(() -> queued(500));
		List<Waiter> waiters = wait(2);
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofMillis(499));
		assertThat(waiters.get(0)).isNotDone();
		this.clock.advance(Duration.ofMillis(2));
		assertThat(waiters.get(0)).isDone();
	}

	@Test
	void oneThatHasWaitedForLongerThanItsLeaseStillLeavesTheQueue() {
		List<Waiter> waiters = wait(2);
		this.clock.advance(LEASE.multipliedBy(2));
		this.store.takeCalls();
		expire(waiters.get(1));
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void aLateReplyDoesNotMakeAnOldGrantValid() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 1_000));
		List<Waiter> waiters = wait(2);
		LockAttempt second = this.store.lastAttempt();
		CompletableFuture<Map<LockAttempt, AcquireReply>> late = new CompletableFuture<>();
		this.store.onKeepQueued((attempts) -> late);
		this.clock.advance(Duration.ofSeconds(2));
		this.store.onAcquire(() -> FakeStore.queued(60_000, 2_000_000));
		this.store.push().missed();
		this.store.takeCalls();
		late.complete(Map.of(second, new AcquireReply.Queued(60_000, 1_500_000, false)));
		this.store.grant(second, 1_700_000, 2_000);
		assertThat(waiters.get(1)).isNotDone();
	}

	/** The confirmation may have queued it again. */
	@Test
	void oneThatLeavesWhileItIsConfirmedIsReleasedAgain() {
		List<Waiter> waiters = wait(2);
		LockAttempt second = this.store.lastAttempt();
		CompletableFuture<Map<LockAttempt, AcquireReply>> late = new CompletableFuture<>();
		this.store.onKeepQueued((attempts) -> late);
		this.clock.advance(Duration.ofSeconds(2));
		expire(waiters.get(1));
		this.store.takeCalls();
		late.complete(Map.of(second, new AcquireReply.Queued(60_000, 1_000, false)));
		// once for each confirmation under way, of which chance decides
		assertThat(this.store.takeCalls()).containsOnly("release");
	}

	@Test
	void waitersThatHaveLeftLeaveNoTimer() {
		List<Waiter> waiters = wait(3);
		this.clock.advance(Duration.ofSeconds(5));
		waiters.forEach(this::expire);
		assertThat(this.clock.pending()).isZero();
	}

	private static CompletionStage<Map<LockAttempt, AcquireReply>> replies(Collection<LockAttempt> attempts,
			AcquireReply reply) {
		return CompletableFuture
			.completedStage(attempts.stream().collect(Collectors.toMap((attempt) -> attempt, (attempt) -> reply)));
	}

	private List<LockAttempt> asking() {
		List<LockAttempt> asking = new ArrayList<>();
		this.store.onAcquire(() -> {
			asking.add(this.store.lastAttempt());
			return queued(60_000);
		});
		return asking;
	}

	private CompletionStage<AcquireReply> queued(long remainingMillis) {
		sign(this.store.lastAttempt());
		return FakeStore.queued(remainingMillis, 0);
	}

	private void sign(LockAttempt attempt) {
		this.lastSigns.putIfAbsent(attempt.id(), this.clock.nanoTime());
		sign(attempt.id());
	}

	private void sign(String owner) {
		long now = this.clock.nanoTime();
		Long last = this.lastSigns.replace(owner, now);
		this.longestGapNanos = Math.max(this.longestGapNanos, (last != null) ? now - last : 0);
	}

	private List<Waiter> wait(int count) {
		List<Waiter> waiters = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			waiters.add(submitted(LockRequest.of("a").fair(true)));
		}
		return waiters;
	}

}
