package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How callers wait in the queue of the store, and what ends their wait.
 */
class StoreQueueTests extends SteppedEngine {

	@Test
	void waiterQueuesInTheStoreAndACallerThatTriesOnceDoesNot() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		submitted(tryingOnce());
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.NO);
		submitted(waiter());
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.TAIL);
	}

	@Test
	void queuedWaiterRepeatsItsRequestAfterTwoSecondsAndKeepsItsPosition() {
		queued(waiter());
		this.clock.advance(Duration.ofMillis(1700));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		this.clock.advance(Duration.ofMillis(300));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.since(0));
	}

	@Test
	void queuedWaiterRepeatsItsRequestWhenTheOwnersLeaseIsOver() {
		this.store.onAcquire(() -> FakeStore.queued(100, 0));
		submitted(waiter());
		this.clock.advance(Duration.ofMillis(101));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
	}

	@Test
	void waiterBehindAForeignOwnerPolls() {
		this.store.onAcquire(() -> CompletableFuture.completedStage(new AcquireReply.Queued(-1, 0, true)));
		submitted(waiter());
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.store.takeCalls()).hasSizeGreaterThan(9);
	}

	@Test
	void expiredWaiterLeavesTheQueue() {
		Waiter waiter = queued(waiter());
		expire(waiter);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void expiredWaiterLeavesTheQueueEvenIfTheStoreCouldNotPush() {
		Waiter waiter = queued(waiter());
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		this.clock.advance(Duration.ofSeconds(2));
		this.store.takeCalls();
		expire(waiter);
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void queuedWaiterRegainsItsPositionWhenTheStoreCanPushAgain() {
		queued(waiter());
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		this.clock.advance(Duration.ofSeconds(2));
		this.store.push().missed();
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.since(0));
	}

	@Test
	void afterMissedPushesWaitersRequestInTheOrderOfTheirArrival() {
		List<String> asked = new ArrayList<>();
		this.store.onAcquire(() -> {
			asked.add(this.store.lastAttempt().id());
			return FakeStore.queued(60_000, 0);
		});
		for (int i = 0; i < 100; i++) {
			submitted(fair());
		}
		List<String> arrived = List.copyOf(asked);
		asked.clear();
		this.store.push().missed();
		assertThat(asked).isEqualTo(arrived);
	}

	@Test
	void regainedPositionIsThatOfTheFirstRequest() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 7_000));
		submitted(waiter());
		this.store.onAcquire(() -> FakeStore.queued(60_000, 2_000_000));
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.since(7_000));
	}

	@Test
	void attemptWithoutReplyRequestsThePositionOfItsFirstRequest() {
		CompletableFuture<AcquireReply> lost = this.store.acquiresLater();
		submitted(waiter());
		this.clock.advance(Duration.ofSeconds(2));
		this.store.onAcquire(() -> FakeStore.queued(60_000, 9_000_000));
		lost.completeExceptionally(new IllegalStateException("time limit"));
		this.clock.advance(Duration.ofSeconds(1));
		long waited = -this.store.lastQueueing().sinceMicros();
		assertThat(waited).isBetween(2_000_000L, 3_000_000L);
		this.store.push().missed();
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.since(9_000_000 - waited));
	}

	@Test
	void attemptWhoseRequestWasNotSentRequestsTheLastPosition() {
		this.store.onAcquire(FakeStore::refusing);
		submitted(waiter());
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.TAIL);
	}

	@Test
	void pendingReplyReplacesPushesThatWereMissed() {
		queued(waiter());
		this.store.onAcquire(CompletableFuture::new);
		this.clock.advance(Duration.ofSeconds(2));
		this.store.push().missed();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
	}

	@Test
	void waiterThatExpiresBeforeAReplyLeavesTheQueueAfterIt() {
		Waiter waiter = queued(waiter());
		CompletableFuture<AcquireReply> resync = this.store.acquiresLater();
		this.clock.advance(Duration.ofSeconds(2));
		expire(waiter);
		assertThat(waiter).isDone();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
		resync.complete(new AcquireReply.Queued(60_000, 0, false));
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void forceReleasedLockOfThisJvmIsLostWithoutAPush() {
		Hold hold = acquired(waiter());
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.NotOwner()));
		assertThat(this.engine.forceRelease(hold.name()).toCompletableFuture()).isCompletedWithValue(true);
		assertThat(hold.loss()).isNotNull();
	}

	@Test
	void pushForAnEarlierAttemptIsIgnored() {
		Hold hold = acquired(waiter());
		this.store.push().taken("jvm:zz");
		this.store.push().queuedBehind("jvm:zz");
		assertThat(hold.isHeld()).isTrue();
	}

	@Test
	void fairWaitersQueueSeparatelyAndLeasesAreNotPassedToThem() {
		Hold first = acquired(fair());
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		Waiter second = submitted(fair());
		first.close();
		assertThat(second).isNotDone();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire", "release");
	}

}
