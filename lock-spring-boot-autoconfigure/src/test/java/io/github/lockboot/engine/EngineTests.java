package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The engine with a stepped clock and a store whose replies the test sets, without
 * threads.
 */
class EngineTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final SteppedClock clock = new SteppedClock();

	private final FakeStore store = new FakeStore();

	private final LockEngine engine = new LockEngine(this.store, this.clock, List.of());

	@AfterEach
	void close() {
		this.engine.close();
	}

	// ---- renewal

	@Test
	void renewsAtEachThirdOfTheLease() {
		acquired(waiter());
		this.clock.advance(Duration.ofSeconds(9));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.store.takeCalls()).containsExactly("renew");
		this.clock.advance(Duration.ofSeconds(30));
		assertThat(this.store.takeCalls()).containsExactly("renew", "renew", "renew");
	}

	@Test
	void locksTakenAtAboutTheSameTimeAreRenewedTogether() {
		acquired(waiter(LockRequest.of("a")));
		this.clock.advance(Duration.ofMillis(30));
		acquired(waiter(LockRequest.of("b")));
		this.store.takeCalls();
		this.clock.advance(Duration.ofMillis(9_800));
		assertThat(this.store.takeCalls()).isEmpty();
		int timers = this.clock.pending();
		this.clock.advance(this.clock.untilNext());
		assertThat(this.store.takeCalls()).containsExactly("renew", "renew");
		assertThat(this.clock.pending()).isEqualTo(timers);
	}

	@Test
	void textOfAHoldContainsItsLock() {
		Hold hold = acquired(waiter(LockRequest.of("order:42")));
		assertThat(hold).hasToString("Hold of lock 'order:42' with token " + hold.fencingToken() + ", held");
	}

	@Test
	void staysHeldAsLongAsItIsRenewed() {
		Hold hold = acquired(waiter());
		this.clock.advance(Duration.ofHours(1));
		assertThat(hold.isHeld()).isTrue();
	}

	@Test
	void failedRenewalIsRetriedSoonAndKeepsTheLock() {
		Hold hold = acquired(waiter());
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(hold.isHeld()).isTrue();
		this.store.onRenew(FakeStore::renewed);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(hold.remainingLease()).isGreaterThan(Duration.ofSeconds(28));
	}

	@Test
	void deadlineCountsFromBeforeTheRequestMinusDrift() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = submitted(waiter());
		this.clock.jump(Duration.ofSeconds(5));
		reply.complete(this.store.ownedReply());
		Hold hold = (Hold) waiter.join();
		assertThat(hold.remainingLease()).isEqualTo(Duration.ofMillis(30_000 - 5_000 - 300 - 2));
	}

	@Test
	void afterASuspensionEachHoldIsRevalidated() {
		Hold hold = acquired(waiter());
		this.store.takeCalls();
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.NotOwner()));
		this.clock.suspend();
		assertThat(this.store.takeCalls()).containsExactly("renew");
		assertThat(hold.isHeld()).isFalse();
	}

	@Test
	void afterASuspensionAFixedLeaseStillEndsInTime() {
		Hold hold = acquired(waiter(LockRequest.of("a").renew(false)));
		this.clock.advance(Duration.ofSeconds(10));
		this.clock.suspend();
		assertThat(hold.remainingLease()).isBetween(Duration.ofSeconds(19), Duration.ofSeconds(20));
	}

	@Test
	void releaseEndsRenewalAndLeavesNoTimer() {
		acquired(waiter()).close();
		this.clock.advance(Duration.ofMinutes(5));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void renewalRequestsTheLeaseOfTheCurrentHolder() {
		Hold hold = acquired(waiter());
		submitted(waiter(LockRequest.of("a"), 5_000, false));
		hold.close();
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(5_000);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
	}

	@Test
	void lateReplyToARenewalDoesNotRaiseADeadlineThatALaterRenewalHasLowered() {
		Hold hold = acquired(waiter());
		Waiter second = submitted(waiter(LockRequest.of("a"), 1_000, false));
		CompletableFuture<RenewReply> late = new CompletableFuture<>();
		this.store.onRenew(() -> late);
		this.clock.advance(Duration.ofSeconds(10));
		this.store.onRenew(CompletableFuture::new);
		hold.close();
		late.complete(new RenewReply.Renewed(Long.MAX_VALUE / 2, 0));
		assertThat(((Hold) second.join()).remainingLease()).isLessThan(Duration.ofSeconds(1));
	}

	@Test
	void lateReplyToARenewalDoesNotPreventTheRetryOfALaterOne() {
		Hold hold = acquired(waiter());
		Waiter second = submitted(waiter(LockRequest.of("a"), 1_000, false));
		CompletableFuture<RenewReply> late = new CompletableFuture<>();
		this.store.onRenew(() -> late);
		this.clock.advance(Duration.ofSeconds(10));
		this.store.onRenew(FakeStore::down);
		hold.close();
		late.complete(new RenewReply.Renewed(Long.MAX_VALUE / 2, 0));
		this.store.onRenew(FakeStore::renewed);
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(((Hold) second.join()).isHeld()).isTrue();
	}

	@Test
	void renewalForAShorterLeaseLowersTheDeadlineBeforeItsReply() {
		Hold hold = acquired(waiter());
		Waiter second = submitted(waiter(LockRequest.of("a"), 5_000, false));
		this.store.onRenew(CompletableFuture::new);
		hold.close();
		assertThat(((Hold) second.join()).remainingLease()).isLessThan(Duration.ofSeconds(5));
	}

	// ---- loss

	@Test
	void isLostAtTheDeadlineAndNotBefore() {
		Hold hold = acquired(waiter());
		this.store.onRenew(FakeStore::down).onRelease(FakeStore::down);
		this.clock.advance(Duration.ofMillis(29_690));
		assertThat(hold.loss()).isNull();
		this.clock.advance(Duration.ofMillis(10));
		assertThat(hold.loss()).hasMessageContaining("ran out before it could be renewed")
			.hasMessageContaining("store is down");
	}

	@Test
	void aLeaseThatIsNotRenewedSaysSoAtItsEnd() {
		Hold hold = acquired(waiter(LockRequest.of("a").renew(false)));
		this.clock.advance(Duration.ofMillis(29_700));
		assertThat(hold.loss()).hasMessageContaining("its lease of 30000 ms ran out and was not to be renewed");
	}

	@Test
	void isNotHeldPastItsDeadlineEvenIfNoTimerFires() {
		Hold hold = acquired(waiter());
		this.clock.jump(Duration.ofSeconds(30));
		assertThat(hold.isHeld()).isFalse();
		assertThatExceptionOfType(io.github.lockboot.LockLostException.class).isThrownBy(hold::ensureHeld);
	}

	@Test
	void isLostAtOnceWhenTheStoreRepliesNotOwner() {
		Hold hold = acquired(waiter());
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.NotOwner()));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(hold.isHeld()).isFalse();
		assertThat(hold.loss()).hasMessageContaining("no longer knows it as the owner");
	}

	@Test
	void closingALostHoldSendsNoRequest() {
		Hold hold = acquired(waiter());
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.NotOwner()));
		this.clock.advance(Duration.ofSeconds(10));
		this.store.takeCalls();
		hold.close();
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void lockOfAnotherOwnerIsReportedAsLostAtItsRelease() {
		Hold hold = acquired(waiter());
		this.store.onRelease(() -> CompletableFuture.completedStage(ReleaseReply.NOT_OWNER));
		hold.close();
		assertThat(hold.loss()).hasMessageContaining("no longer owned when it was released");
	}

	@Test
	void waitersRequestTheLockAgainWhenTheHolderLosesIt() {
		acquired(waiter());
		Waiter second = submitted(waiter());
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.NotOwner()));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew", "acquire");
		assertThat(second.join()).isInstanceOf(Hold.class);
	}

	@Test
	void lateReplyToARenewalDoesNotReviveALostLease() {
		Hold hold = acquired(waiter());
		CompletableFuture<RenewReply> late = new CompletableFuture<>();
		this.store.onRenew(() -> late);
		this.clock.advance(Duration.ofSeconds(30));
		late.complete(new RenewReply.Renewed(1, 0));
		assertThat(hold.isHeld()).isFalse();
	}

	@Test
	void leaseThatExpiresWithoutAReplyIsReleasedInTheStore() {
		acquired(waiter());
		this.store.onRenew(CompletableFuture::new);
		this.clock.advance(Duration.ofSeconds(30));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew", "release");
	}

	// ---- release

	@Test
	void failedReleaseIsRetriedAndTheLeaseNeverRenewed() {
		this.store.onRelease(FakeStore::down);
		acquired(waiter()).close();
		this.clock.advance(Duration.ofSeconds(1));
		this.store.onRelease(FakeStore::released);
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.store.takeCalls()).contains("release").doesNotContain("renew");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void callersDoNotWaitForAReleaseThatFails() {
		this.store.onRelease(FakeStore::down);
		acquired(waiter()).close();
		this.store.onAcquire(FakeStore::down);
		assertThat(submitted(tryingOnce()).join()).isInstanceOf(Outcome.Failed.class);
	}

	@Test
	void closedEngineRejectsAtOnce() {
		this.engine.close();
		assertThat(submitted(waiter()).join()).isInstanceOf(Outcome.Stopping.class);
	}

	@Test
	void closedEngineRejectsItsWaiters() {
		Waiter waiter = queued(waiter());
		this.engine.close();
		assertThat(waiter.join()).isInstanceOf(Outcome.Stopping.class);
	}

	@Test
	void failedReleaseIsAbandonedWhenTheLeaseIsOver() {
		this.store.onRelease(FakeStore::down);
		acquired(waiter()).close();
		this.clock.advance(LEASE);
		this.store.takeCalls();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.store.takeCalls()).isEmpty();
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void notOwnerAfterAFailedReleaseMeansReleased() {
		this.store.onRelease(FakeStore::down);
		Hold hold = acquired(waiter());
		hold.close();
		this.store.onRelease(() -> CompletableFuture.completedStage(ReleaseReply.NOT_OWNER));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(hold.loss()).isNull();
	}

	@Test
	void closingTwiceReleasesOnce() {
		Hold hold = acquired(waiter());
		hold.close();
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@Test
	void closingLateDoesNotReleaseTheNextHolder() {
		Hold first = acquired(waiter());
		Waiter second = submitted(waiter());
		first.close();
		first.close();
		assertThat(((Hold) second.join()).isHeld()).isTrue();
	}

	// ---- passing

	@Test
	void passesTheLeaseToTheNextWaiterWithoutTheStore() {
		Hold first = acquired(waiter());
		Waiter second = submitted(waiter());
		first.close();
		assertThat(second.join()).isInstanceOf(Hold.class);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void passedLeaseHasAHigherToken() {
		Hold first = acquired(waiter());
		Waiter second = submitted(waiter());
		first.close();
		assertThat(((Hold) second.join()).fencingToken()).isGreaterThan(first.fencingToken());
	}

	@Test
	void tokenOfAPassedLeaseIsTheNextOneRegardlessOfTheFirstHoldersTime() {
		Hold first = acquired(waiter());
		Waiter second = submitted(waiter());
		this.clock.advance(Duration.ofMillis(10));
		first.close();
		assertThat(((Hold) second.join()).fencingToken()).isEqualTo(first.fencingToken() + 1_000);
	}

	@Test
	void leaseWithoutRemainingTokensIsReleasedInsteadOfPassed() {
		this.store.onAcquire(() -> CompletableFuture.completedStage(new AcquireReply.Owned(7, 7, 0)));
		Hold first = acquired(waiter());
		submitted(waiter());
		this.store.takeCalls();
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("release", "acquire");
	}

	@Test
	void requestOfAFairCallerCarriesTheLastTokenOfItsJvm() {
		Hold first = acquired(waiter());
		submitted(fair());
		assertThat(this.store.lastSeenToken()).isEqualTo(first.lease().lastToken());
	}

	@Test
	void tokenThatWasIssuedAfterTheRequestWasSentIsNotIssuedTwice() {
		Hold first = acquired(waiter());
		Waiter second = submitted(waiter());
		CompletableFuture<AcquireReply> late = new CompletableFuture<>();
		this.store.onAcquire(() -> late);
		Waiter fair = submitted(fair());
		first.close();
		assertThat(second).isDone();
		this.store.onAcquire(() -> FakeStore.busy(30_000)).takeCalls();
		late.complete(new AcquireReply.Owned(2, 1000, 0)); // by an empty store
		assertThat(fair).isNotDone();
		assertThat(this.store.takeCalls()).startsWith("release", "acquire");
		assertThat(this.store.lastSeenToken()).isEqualTo(2);
	}

	@Test
	void leaseWhoseNextTokenAFairCallerHasIsReleasedInsteadOfPassed() {
		Hold first = acquired(waiter());
		submitted(waiter());
		Hold fair = acquired(fair()); // from an empty store
		assertThat(fair.lease().lastToken()).isEqualTo(first.lease().lastToken() + 1);
		this.store.takeCalls();
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("release", "acquire");
	}

	@Test
	void releasesForAWaiterOfAnotherJvmAfterALimit() {
		Hold first = acquired(waiter());
		submitted(waiter());
		this.store.push().queuedBehind(first.lease().attempt().id());
		this.clock.advance(Duration.ofMillis(6));
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void isNotPassedIfLessThanHalfOfTheNextLeaseIsLeft() {
		Hold first = acquired(waiter(LockRequest.of("a"), 10_000, false));
		submitted(waiter(LockRequest.of("a"), 30_000, false));
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void servesWaitersOfOneJvmInTheirOrder() {
		Hold first = acquired(waiter());
		Waiter second = submitted(waiter());
		Waiter third = submitted(waiter());
		first.close();
		assertThat(second).isDone();
		assertThat(third).isNotDone();
	}

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
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		queue.expire(waiter);
		assertThat(waiter.join()).isInstanceOf(Outcome.Busy.class);
		assertThat(this.clock.pending()).isZero();
		this.store.takeCalls();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void anotherWaiterTakesOverTheAttemptOfOneThatLeft() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		Waiter first = waiter();
		LockQueue queue = this.engine.submit(first);
		Waiter second = submitted(waiter());
		queue.expire(first);
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(second.join()).isInstanceOf(Hold.class);
	}

	@Test
	void expiringFirstTryStillAwaitsItsReply() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		queue.expire(waiter);
		assertThat(waiter).isNotDone();
		reply.complete(this.store.ownedReply());
		assertThat(waiter.join()).isInstanceOf(Hold.class);
	}

	@Test
	void waiterLeavesAtItsWaitTimeEvenWithoutAReply() {
		this.store.onAcquire(CompletableFuture::new);
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		this.clock.advance(Duration.ofMillis(150));
		queue.expire(waiter);
		assertThat(waiter.join()).isInstanceOfSatisfying(Outcome.Failed.class,
				(failed) -> assertThat(failed.cause()).hasMessage("no reply for 150 ms"));
	}

	@Test
	void waitTimeThatIsShorterThanATryAllowsTheFirstReplyATenthOfASecond() {
		this.store.onAcquire(CompletableFuture::new);
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		this.clock.advance(Duration.ofMillis(10));
		queue.expire(waiter);
		this.clock.advance(Duration.ofMillis(89));
		assertThat(waiter).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(waiter.join()).isInstanceOf(Outcome.Failed.class);
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void attemptWhoseWaiterLeftBeforeItFailedIsReleased() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		this.clock.advance(Duration.ofMillis(150));
		queue.expire(waiter);
		reply.completeExceptionally(new IllegalStateException("time limit"));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@Test
	void waiterWithoutALimitOutlastsFailuresThatAreShorterThanAWaitTime() {
		long patience = TimeUnit.SECONDS.toNanos(3);
		this.store.onAcquire(FakeStore::down);
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(queue.expireIfFailing(waiter, patience)).isEqualTo(TimeUnit.SECONDS.toNanos(1));
		this.store.onAcquire(() -> FakeStore.busy(-1));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(queue.expireIfFailing(waiter, patience)).isEqualTo(patience);
		this.store.onAcquire(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(queue.expireIfFailing(waiter, patience)).isPositive();
		assertThat(waiter).isNotDone();
		this.clock.advance(Duration.ofSeconds(2));
		queue.expireIfFailing(waiter, patience);
		assertThat(waiter.getNow(null)).isInstanceOf(Outcome.Failed.class);
	}

	@Test
	void lockAcquiredAfterItsWaiterLeftIsReleased() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		queue.leave(waiter);
		reply.complete(this.store.ownedReply());
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void sectionNeverStartsOnALeaseThatIsOver() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = submitted(waiter());
		this.clock.jump(LEASE);
		this.store.onAcquire(this.store::owned);
		reply.complete(this.store.ownedReply());
		assertThat(((Hold) waiter.join()).isHeld()).isTrue();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	// ---- a store that fails

	@Test
	void failureOfTheStoreIsReportedToACallerThatTriesOnce() {
		this.store.onAcquire(FakeStore::down);
		assertThat(submitted(tryingOnce()).join()).isInstanceOf(Outcome.Failed.class);
	}

	@Test
	void failedRequestIsRetriedForAWaiter() {
		this.store.onAcquire(FakeStore::down);
		Waiter waiter = submitted(waiter());
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(waiter.join()).isInstanceOf(Hold.class);
	}

	@Test
	void storeThatFailsUntilTheEndIsNotReportedAsBusy() {
		this.store.onAcquire(FakeStore::down);
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		queue.expire(waiter);
		assertThat(waiter.join()).isInstanceOf(Outcome.Failed.class);
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
		Waiter waiter = waiter();
		LockQueue queue = this.engine.submit(waiter);
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		this.clock.advance(Duration.ofSeconds(1));
		this.store.takeCalls();
		queue.expire(waiter);
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

	// ---- the store's queue

	@Test
	void waiterQueuesInTheStoreAndACallerThatTriesOnceDoesNot() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		submitted(tryingOnce());
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.NO);
		submitted(waiter());
		assertThat(this.store.lastQueueing()).isEqualTo(Queueing.TAIL);
	}

	@Test
	void queuedWaiterDoesNotPoll() {
		queued(waiter());
		this.clock.advance(Duration.ofMillis(1700));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void queuedWaiterRepeatsItsRequestAndKeepsItsPosition() {
		queued(waiter());
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
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
	void callerIsWokenBeforeTheTimersOfItsLeaseAreSet() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = submitted(waiter());
		List<Integer> timers = new ArrayList<>();
		waiter.thenRun(() -> timers.add(this.clock.pending()));
		reply.complete(this.store.ownedReply());
		assertThat(timers).containsExactly(0);
		assertThat(this.clock.pending()).isOne();
	}

	@Test
	void grantNotifiesTheWaiterAndIsRenewedSoon() {
		Waiter waiter = queued(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(waiter.join()).isInstanceOf(Hold.class);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		this.clock.advance(Duration.ofMillis(5));
		assertThat(this.store.takeCalls()).containsExactly("renew");
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(LEASE.toMillis());
	}

	@Test
	void holderThatReleasesAGrantedLockSoonRenewsNothing() {
		Waiter waiter = queued(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		this.clock.advance(Duration.ofMillis(4));
		((Hold) waiter.join()).close();
		this.clock.advance(LEASE);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@ParameterizedTest
	@MethodSource
	void grantIsRenewedAtOnceForAHolderWithALimitOfItsOwn(LockRequest request) {
		queued(waiter(request));
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
	}

	static Stream<LockRequest> grantIsRenewedAtOnceForAHolderWithALimitOfItsOwn() {
		LockRequest request = LockRequest.of("a");
		return Stream.of(request.minHoldTime(Duration.ofSeconds(20)), request.renew(false),
				request.maxHoldTime(Duration.ofSeconds(1)));
	}

	@Test
	void grantThatArrivesLateIsRenewedAtOnce() {
		queued(waiter());
		this.clock.jump(Duration.ofMillis(1_200));
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
	}

	@Test
	void grantOfABriefLeaseIsRenewedAtOnce() {
		queued(waiter());
		this.store.grant(this.store.lastAttempt(), 1_000, 40);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
	}

	/** The next caller may have a minimum hold time, and a waiter may poll. */
	@Test
	void leaseOfAGrantIsRenewedOnceWhenItIsPassedOn() {
		Waiter first = queued(waiter());
		Waiter second = submitted(waiter());
		Waiter third = submitted(waiter());
		this.store.onRenew(CompletableFuture::new);
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		((Hold) first.join()).end(new CompletableFuture<>());
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
		((Hold) second.join()).end(new CompletableFuture<>());
		assertThat(third).isCompleted();
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void leaseOfAGrantIsMeasuredByTheClockOfTheStore() {
		Waiter waiter = queued(waiter());
		this.store.onRenew(CompletableFuture::new);
		this.clock.jump(Duration.ofMillis(700));
		this.store.grant(this.store.lastAttempt(), 500_000, 2_000);
		assertThat(((Hold) waiter.join()).remainingLease()).isEqualTo(Duration.ofMillis(2_000 - 20 - 2 - 200));
	}

	@Test
	void grantAfterItsWindowIsConfirmedByTheStoreFirst() {
		Waiter waiter = queued(waiter());
		this.clock.jump(Duration.ofSeconds(3));
		this.store.onAcquire(() -> FakeStore.queued(60_000, 9_000_000));
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(waiter).isNotDone();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
	}

	@Test
	void grantBeforeTheFirstReplyIsMeasuredFromTheFirstRequest() {
		this.store.onAcquire(CompletableFuture::new).onRenew(CompletableFuture::new);
		Waiter waiter = submitted(waiter());
		this.clock.jump(Duration.ofMillis(700));
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(((Hold) waiter.join()).remainingLease()).isEqualTo(Duration.ofMillis(2_000 - 20 - 2 - 700));
	}

	@Test
	void replyThatAGrantHasOvertakenSendsNoSecondReleaseBesideTheFirst() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		CompletableFuture<ReleaseReply> released = new CompletableFuture<>();
		this.store.onAcquire(() -> reply).onRelease(() -> released);
		Waiter waiter = submitted(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		Hold hold = (Hold) waiter.join();
		hold.end(new CompletableFuture<>());
		this.store.takeCalls();
		reply.complete(new AcquireReply.Queued(60_000, 1_000_000, false));
		assertThat(this.store.takeCalls()).isEmpty();
		released.complete(ReleaseReply.NOT_OWNER);
		assertThat(hold.loss()).isNull();
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void releaseTakesNoTokensBackWhileARequestIsUnderWay() {
		this.store.onAcquire(CompletableFuture::new);
		Waiter waiter = submitted(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		((Hold) waiter.join()).close();
		assertThat(this.store.lastUsedToken()).isZero();
	}

	@Test
	void releaseTakesTokensBackIfTheRequestTookEffectBeforeTheGrant() {
		assertThat(usedTokenAfterALateReply(new AcquireReply.Queued(60_000, 1_000, false))).isPositive();
	}

	@Test
	void releaseTakesNoTokensBackIfTheRequestTookEffectAfterTheGrant() {
		assertThat(usedTokenAfterALateReply(new AcquireReply.Queued(60_000, 9_000, false))).isZero();
		assertThat(usedTokenAfterALateReply(this.store.ownedReply())).isZero();
	}

	private long usedTokenAfterALateReply(AcquireReply late) {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = submitted(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		reply.complete(late);
		((Hold) waiter.join()).close();
		return this.store.lastUsedToken();
	}

	@Test
	void grantBeforeTheFirstReplyByMoreThanItsWindowWaitsForThatReply() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = submitted(waiter());
		this.clock.jump(Duration.ofMillis(2_100));
		this.store.grant(this.store.lastAttempt(), 2_000_000, 2_000);
		assertThat(waiter).isNotDone();
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		reply.complete(new AcquireReply.Queued(60_000, 1_000_000, false));
		assertThat(((Hold) waiter.join()).isHeld()).isTrue();
	}

	@Test
	void grantOfAnAttemptThatOnceHadNoReplyIsNotLost() {
		this.store.onAcquire(FakeStore::down);
		Waiter waiter = submitted(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(((Hold) waiter.join()).isHeld()).isTrue();
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void grantOfAnAttemptWithoutAReplyForLongIsConfirmedAtOnce() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = submitted(waiter());
		this.clock.jump(Duration.ofMillis(2_500));
		this.store.grant(this.store.lastAttempt(), 2_400_000, 2_000);
		this.store.onAcquire(this.store::owned);
		reply.completeExceptionally(new IllegalStateException("no answer"));
		assertThat(((Hold) waiter.join()).isHeld()).isTrue();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
	}

	@Test
	void grantAfterAStepOfTheStoresClockIsConfirmedByTheStoreFirst() {
		Waiter waiter = queued(waiter());
		this.clock.jump(Duration.ofMillis(100));
		CompletableFuture<AcquireReply> confirmation = new CompletableFuture<>();
		this.store.onAcquire(() -> confirmation);
		this.store.grant(this.store.lastAttempt(), 3_100_000, 2_000);
		assertThat(waiter).isNotDone();
		confirmation.complete(this.store.ownedReply());
		assertThat(((Hold) waiter.join()).remainingLease()).isEqualTo(Duration.ofMillis(30_000 - 300 - 2));
	}

	@Test
	void grantWithATokenThatThisJvmHasUsedIsConfirmedByTheStoreFirst() {
		acquired(waiter()).close();
		this.store.repeatTokens();
		Waiter waiter = queued(waiter());
		CompletableFuture<AcquireReply> confirmation = new CompletableFuture<>();
		this.store.onAcquire(() -> confirmation);
		this.store.grant(this.store.lastAttempt(), 20_000, 2_000);
		assertThat(waiter).isNotDone();
		confirmation.complete(this.store.ownedReply());
		assertThat(waiter.join()).isInstanceOf(Hold.class);
	}

	@Test
	void leaseOfAGrantNeverStartsAfterItsArrival() {
		Waiter waiter = queued(waiter());
		this.store.onRenew(CompletableFuture::new);
		this.store.grant(this.store.lastAttempt(), 20_000, 2_000);
		assertThat(((Hold) waiter.join()).remainingLease()).isEqualTo(Duration.ofMillis(2_000 - 20 - 2));
	}

	@Test
	void grantFromBeforeTheLastReplyIsIgnored() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 9_000));
		Waiter waiter = submitted(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(waiter).isNotDone();
	}

	@Test
	void duplicateGrantIsHarmless() {
		Waiter waiter = queued(waiter());
		LockAttempt attempt = this.store.lastAttempt();
		this.store.grant(attempt, 5_000, 2_000);
		this.store.grant(attempt, 5_000, 2_000);
		assertThat(((Hold) waiter.join()).isHeld()).isTrue();
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void grantWithoutAWaiterIsReleasedAtOnce() {
		this.store.grant(new LockAttempt("a", "jvm:zz", 2_000, 1), 5_000, 2_000);
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void grantAndResyncThatCrossGiveOneHold() {
		Waiter waiter = queued(waiter());
		CompletableFuture<AcquireReply> resync = new CompletableFuture<>();
		this.store.onAcquire(() -> resync);
		this.clock.advance(Duration.ofSeconds(2));
		this.store.grant(this.store.lastAttempt(), 1_999_000, 2_000);
		Hold hold = (Hold) waiter.join();
		resync.complete(this.store.ownedReply());
		assertThat(hold.isHeld()).isTrue();
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire", "release");
	}

	@Test
	void expiredWaiterLeavesTheQueue() {
		Waiter waiter = waiter();
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		LockQueue queue = this.engine.submit(waiter);
		queue.expire(waiter);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void expiredWaiterLeavesTheQueueEvenIfItsLastRequestIsOlderThanItsLease() {
		Waiter waiter = waiter(LockRequest.of("a"), 1_000, false);
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		LockQueue queue = this.engine.submit(waiter);
		this.clock.advance(Duration.ofMillis(1_500));
		this.store.takeCalls();
		queue.expire(waiter);
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void expiredWaiterLeavesTheQueueEvenIfTheStoreCouldNotPush() {
		Waiter waiter = waiter();
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		LockQueue queue = this.engine.submit(waiter);
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		this.clock.advance(Duration.ofSeconds(2));
		this.store.takeCalls();
		queue.expire(waiter);
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
	void replyAfterTheEndOfItsHoldOwnsNothing() {
		Waiter waiter = queued(waiter());
		CompletableFuture<AcquireReply> resync = new CompletableFuture<>();
		this.store.onAcquire(() -> resync);
		this.clock.advance(Duration.ofSeconds(2));
		this.store.grant(this.store.lastAttempt(), 1_999_000, 2_000);
		((Hold) waiter.join()).close();
		this.store.takeCalls();
		resync.complete(this.store.ownedReply());
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void oneQueueEntryRepresentsAllWaitersOfAJvm() {
		queued(waiter());
		submitted(waiter());
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void waitersRequestAgainAfterMissedPushes() {
		queued(waiter());
		this.store.push().missed();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
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
		CompletableFuture<AcquireReply> lost = new CompletableFuture<>();
		this.store.onAcquire(() -> lost);
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
		Waiter waiter = waiter();
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		LockQueue queue = this.engine.submit(waiter);
		CompletableFuture<AcquireReply> resync = new CompletableFuture<>();
		this.store.onAcquire(() -> resync);
		this.clock.advance(Duration.ofSeconds(2));
		queue.expire(waiter);
		assertThat(waiter).isDone();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
		resync.complete(new AcquireReply.Queued(60_000, 0, false));
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void forceReleasedLockIsLostAtOnce() {
		Hold hold = acquired(waiter());
		this.store.push().taken(hold.lease().attempt().id());
		assertThat(hold.loss()).hasMessageContaining("released by force");
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
	void passesWithoutLimitWhileNoOtherJvmWaits() {
		Hold hold = acquired(waiter());
		for (int i = 0; i < 100; i++) {
			Waiter next = submitted(waiter());
			this.clock.advance(Duration.ofSeconds(1));
			hold.close();
			hold = (Hold) next.join();
		}
		assertThat(this.store.takeCalls()).containsOnlyOnce("acquire").doesNotContain("release");
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

	// ---- hold times

	@Test
	void fixedLeaseIsNotRenewedAndEndsAsLost() {
		Hold hold = acquired(waiter(LockRequest.of("a").renew(false)));
		this.clock.advance(LEASE);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		assertThat(hold.loss()).isNotNull();
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

	@Test
	void aLockWhoseMaxHoldTimeIsTooLongToCountIsRenewed() {
		Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
		try (LockTemplate template = new LockTemplate(this.store, this.clock,
				io.github.lockboot.LockDefaults.defaults(), List.of());
				LockHandle lock = template.acquire(LockRequest.of("b").maxHoldTime(forever))) {
			for (int thirds = 0; thirds < 9; thirds++) {
				this.clock.advance(Duration.ofSeconds(10));
			}
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void maxHoldTimeLimitsTheLease() {
		acquired(waiter(LockRequest.of("a").maxHoldTime(Duration.ofSeconds(5))));
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(5_000);
	}

	@Test
	void lockReleasedTooSoonStaysHeldForTheRestOfItsMinHoldTime() {
		Hold hold = acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(20))));
		this.clock.advance(Duration.ofSeconds(5));
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release later");
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(15_000);
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

	@Test
	void lateReplyToAnAttemptDoesNotEndItsMinHoldTime() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		this.store.onAcquire(() -> reply);
		Waiter waiter = submitted(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(20))));
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		((Hold) waiter.join()).close();
		this.store.takeCalls();
		reply.complete(this.store.ownedReply());
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void failedReleaseWithinTheMinHoldTimeIsRepeatedAndKeepsTheLockForTheRest() {
		Hold hold = acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(20))));
		this.store.onRelease(FakeStore::down);
		hold.close();
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(10));
		this.store.onRelease(FakeStore::released);
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(4));
		assertThat(this.store.takeCalls()).containsExactly("release later");
		assertThat(this.store.lastAttempt().leaseMillis()).isBetween(6_000L, 10_000L);
	}

	@Test
	void failedReleaseWithinTheMinHoldTimeFreesTheLockIfTheStoreIsBackLater() {
		Hold hold = acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(1))));
		this.store.onRelease(FakeStore::down);
		hold.close();
		this.clock.advance(Duration.ofSeconds(2));
		this.store.onRelease(FakeStore::released);
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(4));
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void lockThatWasHeldForItsMinHoldTimeIsReleased() {
		Hold hold = acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofSeconds(5))));
		this.clock.advance(Duration.ofSeconds(6));
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@Test
	void minHoldTimeExtendsTheLease() {
		acquired(waiter(LockRequest.of("a").minHoldTime(Duration.ofMinutes(2))));
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(120_000);
	}

	// ---- listeners

	@Test
	void listenerThatThrowsAffectsNothingElse() {
		LockListener bad = new LockListener() {

			@Override
			public void onAcquired(LockRequest request, io.github.lockboot.LockHandle handle, Duration waited) {
				throw new IllegalStateException("bad listener");
			}

		};
		try (LockTemplate template = new LockTemplate(this.store, this.clock,
				io.github.lockboot.LockDefaults.defaults(), List.of(bad))) {
			assertThat(template.execute("a", () -> "done")).isEqualTo("done");
		}
	}

	private Waiter waiter() {
		return waiter(LockRequest.of("a"), LEASE.toMillis(), false);
	}

	private Waiter waiter(LockRequest request) {
		return waiter(request, LEASE.toMillis(), false);
	}

	private Waiter waiter(LockRequest request, long leaseMillis, boolean triesOnce) {
		return Waiters.of(this.engine, request, leaseMillis, triesOnce);
	}

	private Waiter fair() {
		return waiter(LockRequest.of("a").fair(true));
	}

	private Waiter queued(Waiter waiter) {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		return submitted(waiter);
	}

	private Waiter tryingOnce() {
		return waiter(LockRequest.of("a"), LEASE.toMillis(), true);
	}

	private Waiter submitted(Waiter waiter) {
		this.engine.submit(waiter);
		return waiter;
	}

	private Hold acquired(Waiter waiter) {
		return (Hold) submitted(waiter).orTimeout(1, TimeUnit.SECONDS).join();
	}

}
