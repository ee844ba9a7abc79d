package io.github.lockboot.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How callers wait for a lock of a store that has no queue or that fails.
 */
class WaitingTests extends SteppedEngine {

	// ---- waiting

	@Test
	void triesOnceAndLeavesWhenBusy() {
		this.store.onAcquire(() -> FakeStore.busy(700));
		assertThat(submitted(tryingOnce()).join()).isEqualTo(new Outcome.Busy(701));
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void triesOnceWithoutTheStoreWhileThisJvmHoldsTheLock() {
		acquired(waiter());
		assertThat(submitted(tryingOnce()).join()).isInstanceOf(Outcome.Busy.class);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void aRequestThatMayBlockItsCallerIsSentOnce() {
		Waiter waiter = waiter();
		waiter.blockFor(1_000_000);
		submitted(waiter);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void waitsAtMostAQuarterOfASecondBetweenTries() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		submitted(waiter());
		this.clock.advance(Duration.ofSeconds(5));
		this.store.takeCalls();
		this.clock.advance(Duration.ofMillis(250));
		assertThat(this.store.takeCalls()).isNotEmpty();
	}

	@Test
	void retriesWhenTheOwnersLeaseIsOver() {
		this.store.onAcquire(() -> FakeStore.busy(2));
		Waiter waiter = submitted(waiter());
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofMillis(3));
		assertThat(waiter).isDone();
	}

	@Test
	void aRequestWhoseConnectionIsCutIsRepeatedOnce() {
		this.store.onAcquire(FakeStore::cut);
		assertThat(submitted(tryingOnce()).join()).isInstanceOf(Outcome.Failed.class);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire", "release");
	}

	@Test
	void aRepeatedRequestTellsForHowLongTheFirstOneIsUnanswered() {
		this.clock.jump(Duration.ofSeconds(7));
		this.store.onAcquire(FakeStore::down);
		submitted(waiter());
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.store.lastQueueing().sinceMicros()).isBetween(-1_000_000L, -1L);
	}

	@Test
	void retriesWithTheSameOwnerId() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		submitted(waiter());
		LockAttempt first = this.store.lastAttempt();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.store.lastAttempt()).isEqualTo(first);
	}

	@Test
	void expiredWaiterLeavesNoTimerAndNoAttempt() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		Waiter waiter = submitted(waiter());
		expire(waiter);
		assertThat(waiter.join()).isInstanceOf(Outcome.Busy.class);
		assertThat(this.clock.pending()).isZero();
		assertThat(this.engine.isAttempting()).isFalse();
		this.store.takeCalls();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void anotherWaiterTakesOverTheAttemptOfOneThatLeft() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		Waiter first = submitted(waiter());
		Waiter second = submitted(waiter());
		expire(first);
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(second.join()).isInstanceOf(Hold.class);
	}

	@Test
	void expiringFirstTryStillAwaitsItsReply() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		Waiter waiter = submitted(waiter());
		expire(waiter);
		assertThat(waiter).isNotDone();
		reply.complete(this.store.ownedReply());
		assertThat(waiter.join()).isInstanceOf(Hold.class);
	}

	@Test
	void expiringFirstTryLeavesWithTheReplyThatTheLockIsBusy() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		Waiter waiter = submitted(waiter());
		expire(waiter);
		reply.complete(new AcquireReply.Busy(700));
		assertThat(waiter).isCompletedWithValue(new Outcome.Busy(701));
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void callerThatTriesOnceLeavesWhenAnotherCallerGetsTheLock() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		submitted(waiter());
		Waiter second = submitted(tryingOnce());
		assertThat(second).isNotDone();
		reply.complete(this.store.ownedReply());
		assertThat(second).isCompletedWithValueMatching(Outcome.Busy.class::isInstance);
	}

	@Test
	void waiterLeavesAtItsWaitTimeEvenWithoutAReply() {
		this.store.onAcquire(CompletableFuture::new);
		Waiter waiter = submitted(waiter());
		this.clock.advance(Duration.ofMillis(150));
		expire(waiter);
		assertThat(waiter.join()).isInstanceOfSatisfying(Outcome.Failed.class,
				(failed) -> assertThat(failed.cause()).hasMessage("no reply for 150 ms"));
	}

	@Test
	void waitTimeThatIsShorterThanATryAllowsTheFirstReplyATenthOfASecond() {
		this.store.onAcquire(CompletableFuture::new);
		Waiter waiter = submitted(waiter());
		this.clock.advance(Duration.ofMillis(10));
		expire(waiter);
		this.clock.advance(Duration.ofMillis(89));
		assertThat(waiter).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(waiter.join()).isInstanceOf(Outcome.Failed.class);
		assertThat(this.clock.pending()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void attemptWhoseWaiterLeftBeforeItFailedIsReleased(boolean cut) {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		Waiter waiter = submitted(waiter());
		this.clock.advance(Duration.ofMillis(150));
		expire(waiter);
		reply.completeExceptionally(
				cut ? new UncheckedIOException(new IOException()) : new IllegalStateException("time limit"));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@Test
	void waiterWithoutALimitOutlastsFailuresThatAreShorterThanAWaitTime() {
		this.store.onAcquire(FakeStore::down);
		Waiter waiter = waiter();
		waiter.waitPatiently(TimeUnit.SECONDS.toNanos(3), this.clock.nanoTime());
		this.engine.submit(waiter);
		this.clock.advance(Duration.ofSeconds(2));
		this.store.onAcquire(() -> FakeStore.busy(-1));
		this.clock.advance(Duration.ofSeconds(1));
		this.store.onAcquire(FakeStore::down);
		this.clock.advance(Duration.ofMillis(2_900));
		assertThat(waiter).isNotDone();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(waiter.getNow(null)).isInstanceOf(Outcome.Failed.class);
	}

	@Test
	void lockAcquiredAfterItsWaiterLeftIsReleased() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		Waiter waiter = submitted(waiter());
		leave(waiter);
		reply.complete(this.store.ownedReply());
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void sectionNeverStartsOnALeaseThatIsOver() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		Waiter waiter = submitted(waiter());
		this.clock.jump(LEASE);
		this.store.onAcquire(this.store::owned);
		reply.complete(this.store.ownedReply());
		assertThat(((Hold) waiter.join()).isHeld()).isTrue();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	// ---- a store that fails

	@Test
	void failedRequestIsRetriedForAWaiter() {
		this.store.onAcquire(FakeStore::down);
		Waiter waiter = submitted(waiter());
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(waiter.join()).isInstanceOf(Hold.class);
	}

	@Test
	void attemptWithoutReplyIsReleasedUntilConfirmed() {
		this.store.onAcquire(FakeStore::down).onRelease(() -> CompletableFuture.completedStage(ReleaseReply.NOT_OWNER));
		submitted(tryingOnce());
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.store.takeCalls()).contains("release");
		this.store.onRelease(FakeStore::released);
		this.clock.advance(Duration.ofSeconds(1));
		this.store.takeCalls();
		this.clock.advance(LEASE);
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void attemptWithoutReplyIsReleasedBeyondItsLeaseWhileTheStoreFailsButNotWithoutLimit() {
		this.store.onAcquire(FakeStore::down).onRelease(FakeStore::down);
		submitted(tryingOnce());
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.clock.pending()).isOne();
		this.clock.advance(Duration.ofHours(1));
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void attemptThatOnceHadNoReplyIsReleasedTwiceDespiteALaterReply() {
		this.store.onAcquire(FakeStore::down).onRelease(() -> CompletableFuture.completedStage(ReleaseReply.NOT_OWNER));
		Waiter waiter = submitted(waiter());
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		this.clock.advance(Duration.ofSeconds(1));
		this.store.takeCalls();
		expire(waiter);
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.store.takeCalls()).containsExactly("release", "release");
	}

	@Test
	void attemptThatOnceHadNoReplyIsReleasedAgainAfterItsHoldWasReleased() {
		this.store.onAcquire(FakeStore::down);
		Waiter waiter = submitted(waiter());
		this.store.onAcquire(this.store::owned).onRelease(FakeStore::released);
		this.clock.advance(Duration.ofSeconds(1));
		this.store.takeCalls();
		((Hold) waiter.join()).close();
		assertThat(this.store.takeCalls()).startsWith("release", "release");
	}

	/** A late request may have taken the lock again, after others had higher tokens. */
	@Test
	void releasesOfAnAttemptThatOnceHadNoReplyTakeNoTokensBack() {
		List<Long> used = new ArrayList<>();
		this.store.onAcquire(FakeStore::down).onRelease(() -> {
			used.add(this.store.lastUsedToken());
			return FakeStore.released();
		});
		Waiter waiter = submitted(waiter());
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofSeconds(1));
		((Hold) waiter.join()).close();
		assertThat(used).hasSizeGreaterThan(1).containsOnly(0L);
	}

	@Test
	void attemptThatTheStoreRejectedNeedsNoRelease() {
		this.store.onAcquire(FakeStore::refusing);
		assertThat(submitted(tryingOnce()).join()).isInstanceOf(Outcome.Failed.class);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void storeThatThrowsCountsAsFailed() {
		this.store.onAcquire(() -> {
			throw new IllegalStateException("closed");
		});
		assertThat(submitted(tryingOnce()).join()).isInstanceOf(Outcome.Failed.class);
	}

}
