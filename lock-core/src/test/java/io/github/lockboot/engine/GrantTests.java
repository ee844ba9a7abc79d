package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How callers use a grant of the store, which may come early, late, twice or never.
 */
class GrantTests extends SteppedEngine {

	@Test
	void callerIsWokenBeforeTheTimersOfItsLeaseAreSet() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
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
		this.clock.advance(Duration.ofMillis(10));
		assertThat(this.store.takeCalls()).containsExactly("renew");
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(LEASE.toMillis());
	}

	@Test
	void holderThatReleasesAGrantedLockSoonRenewsNothing() {
		Waiter waiter = queued(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		this.clock.advance(Duration.ofMillis(9));
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
		assertThat(this.store.takeExtensions()).as("all ask who waits").doesNotContain(false);
	}

	static Stream<LockRequest> grantIsRenewedAtOnceForAHolderWithALimitOfItsOwn() {
		LockRequest request = LockRequest.of("a");
		return Stream.of(request.minHoldTime(Duration.ofSeconds(20)), request.renew(false),
				request.maxHoldTime(Duration.ofSeconds(1)));
	}

	@ParameterizedTest
	@CsvSource({ "1200, 5000, 2000", "0, 1000, 40" })
	void grantThatArrivesLateOrIsBriefIsRenewedAtOnce(int late, long storeMicros, long claimMillis) {
		queued(waiter());
		this.clock.jump(Duration.ofMillis(late));
		this.store.grant(this.store.lastAttempt(), storeMicros, claimMillis);
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
	void leaseOfAGrantIsNotRenewedWhenItIsPassedOnIfAnotherJvmIsKnownToWait() {
		Waiter first = queued(waiter());
		submitted(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		this.store.push().queuedBehind(this.store.lastAttempt().id());
		((Hold) first.join()).end(new CompletableFuture<>());
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		this.clock.advance(Duration.ofMillis(10));
		assertThat(this.store.takeCalls()).containsExactly("renew");
	}

	@Test
	void leaseOfAGrantIsMeasuredByTheClockOfTheStore() {
		Waiter waiter = queued(waiter());
		this.store.onRenew(CompletableFuture::new);
		this.clock.jump(Duration.ofMillis(700));
		this.store.grant(this.store.lastAttempt(), 500_000, 2_000);
		assertThat(((Hold) waiter.join()).remainingLease()).isEqualTo(Duration.ofMillis(2_000 - 20 - 2 - 205));
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
	void grantIsNotMeasuredFromAReplyThatIsOlderThanASuspension() {
		Waiter waiter = queued(waiter());
		this.store.onAcquire(CompletableFuture::new);
		this.clock.advance(Duration.ofMillis(1));
		this.clock.suspend();
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		assertThat(waiter).isNotDone();
	}

	@Test
	void grantOfTheMicrosecondOfTheLastReplyIsClaimed() {
		Waiter waiter = queued(waiter());
		this.store.grant(this.store.lastAttempt(), 0, 2_000);
		assertThat(waiter).isCompleted();
	}

	@Test
	void grantThatIsPushedTwiceIsNotClaimedByTheNextAttempt() {
		Waiter first = queued(waiter());
		LockAttempt attempt = this.store.lastAttempt();
		// the lease is not passed on to such a caller, for which the lock is requested
		Waiter second = submitted(waiter(LockRequest.of("a").renew(false)));
		this.store.onRelease(CompletableFuture::new);
		this.store.grant(attempt, 5_000, 2_000);
		((Hold) first.join()).end(new CompletableFuture<>());
		assertThat(this.store.lastAttempt()).isNotEqualTo(attempt);
		this.store.grant(attempt, 6_000, 2_000);
		assertThat(second).isNotDone();
	}

	@Test
	void anAttemptWhoseGrantCameTooLateIsReleasedWhenItsCallerHasLeft() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		Waiter waiter = submitted(waiter());
		this.clock.jump(Duration.ofSeconds(3));
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		leave(waiter);
		reply.complete(new AcquireReply.Busy(60_000));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
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
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		Waiter waiter = submitted(waiter());
		this.store.grant(this.store.lastAttempt(), 5_000, 2_000);
		reply.complete(late);
		((Hold) waiter.join()).close();
		return this.store.lastUsedToken();
	}

	@Test
	void grantBeforeTheFirstReplyByMoreThanItsWindowWaitsForThatReply() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
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
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
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
		CompletableFuture<AcquireReply> confirmation = this.store.acquiresLater();
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
		CompletableFuture<AcquireReply> confirmation = this.store.acquiresLater();
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
		CompletableFuture<AcquireReply> resync = this.store.acquiresLater();
		this.clock.advance(Duration.ofSeconds(2));
		this.store.grant(this.store.lastAttempt(), 1_999_000, 2_000);
		Hold hold = (Hold) waiter.join();
		resync.complete(this.store.ownedReply());
		assertThat(hold.isHeld()).isTrue();
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire", "release");
	}

	@Test
	void replyAfterTheEndOfItsHoldOwnsNothing() {
		Waiter waiter = queued(waiter());
		CompletableFuture<AcquireReply> resync = this.store.acquiresLater();
		this.clock.advance(Duration.ofSeconds(2));
		this.store.grant(this.store.lastAttempt(), 1_999_000, 2_000);
		((Hold) waiter.join()).close();
		this.store.takeCalls();
		resync.complete(this.store.ownedReply());
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(this.clock.pending()).isZero();
	}

}
