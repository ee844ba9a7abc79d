package io.github.lockboot.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * When a lease is renewed and when it is lost.
 */
class RenewalTests extends SteppedEngine {

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
	void theFirstAndThenEachThirdRenewalAsksWhoWaits() {
		acquired(waiter());
		this.clock.advance(Duration.ofSeconds(51));
		assertThat(this.store.takeExtensions()).containsExactly(true, false, false, true, false);
	}

	@Test
	void tokensAreReservedOnceInFiveMinutes() {
		acquired(waiter());
		this.clock.advance(Duration.ofSeconds(450));
		int renewals = (int) this.store.takeCalls().stream().filter("renew"::equals).count();
		assertThat(this.store.takeExtensions()).hasSize(renewals - 1).hasSizeGreaterThan(40);
	}

	@Test
	void nothingExtendsALeaseWhileAShorterOneHasNoReply() {
		Hold hold = acquired(waiter());
		Waiter next = submitted(waiter(LockRequest.of("a"), 10_000, false));
		this.store.onRenew(FakeStore::down);
		hold.closeAsync();
		this.clock.advance(Duration.ofSeconds(2));
		this.store.onRenew(FakeStore::renewed);
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(((Hold) next.join()).isHeld()).isTrue();
		assertThat(this.store.takeExtensions()).isEmpty();
	}

	@Test
	void aShorterLeaseIsExtendedOnceTheStoreHasReplied() {
		Hold hold = acquired(waiter());
		submitted(waiter(LockRequest.of("a"), 10_000, false));
		hold.closeAsync();
		assertThat(this.store.takeExtensions()).isEmpty();
		this.clock.advance(Duration.ofSeconds(4));
		assertThat(this.store.takeExtensions()).hasSize(1);
	}

	@Test
	void theReplyToAnExtensionIsNoReplyToAShorterLeaseThatWasSentLater() {
		Hold hold = acquired(waiter());
		Waiter next = submitted(waiter(LockRequest.of("a"), 10_000, false));
		CompletableFuture<RenewReply> extension = this.store.renewsLater();
		this.clock.advance(Duration.ofSeconds(10));
		this.store.onRenew(CompletableFuture::new);
		hold.closeAsync();
		extension.complete(new RenewReply.Renewed(0, 0));
		assertThat(((Hold) next.join()).remainingLease()).isLessThan(Duration.ofSeconds(10));
	}

	@Test
	void aReplyThatComesLateMovesTheDeadlineForwardOnly() {
		Hold hold = acquired(waiter());
		Waiter next = submitted(waiter());
		CompletableFuture<RenewReply> extension = this.store.renewsLater();
		this.clock.advance(Duration.ofSeconds(10));
		this.clock.jump(Duration.ofSeconds(2));
		this.store.onRenew(FakeStore::renewed);
		hold.closeAsync();
		Duration left = ((Hold) next.join()).remainingLease();
		extension.complete(new RenewReply.Renewed(0, 0));
		assertThat(((Hold) next.join()).remainingLease()).isEqualTo(left).isGreaterThan(Duration.ofSeconds(29));
	}

	@Test
	void locksTakenTogetherAreRenewedInPortionsBetweenWhichAShortLeaseIsRenewed() {
		for (int i = 0; i < 5_000; i++) {
			acquired(waiter(LockRequest.of("lock" + i)));
		}
		acquired(waiter(LockRequest.of("short"), 1_000, false));
		Map<Long, Integer> renewals = new HashMap<>();
		this.store.onRenew(() -> {
			renewals.merge(this.clock.nanoTime(), 1, Integer::sum);
			return FakeStore.renewed();
		});
		this.clock.advance(Duration.ofSeconds(28));
		assertThat(renewals.values()).hasSizeBetween(100, 400).allMatch((count) -> count <= 1_000);
	}

	@Test
	void textOfAHoldContainsItsLock() {
		Hold hold = acquired(waiter(LockRequest.of("order:42")));
		assertThat(hold).hasToString("Hold of lock 'order:42' with token " + hold.fencingToken() + ", held");
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
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
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
	void afterASuspensionAHoldIsInDoubtUntilTheStoreConfirmsIt() {
		Hold hold = acquired(waiter());
		CompletableFuture<RenewReply> reply = this.store.renewsLater();
		this.clock.standStill();
		assertThat(hold.isHeld()).isFalse();
		assertThat(hold.remainingLease()).isZero();
		this.clock.suspend();
		assertThat(hold.isHeld()).isFalse();
		reply.complete(new RenewReply.Renewed(Long.MAX_VALUE / 2, 0));
		assertThat(hold.isHeld()).isTrue();
	}

	@Test
	void aHolderInDoubtAsksTheStoreWhetherTheLockIsStillHeld() {
		Hold hold = acquired(waiter());
		this.clock.standStill();
		assertThatNoException().isThrownBy(hold::ensureHeld);
		this.clock.standStill();
		this.store.onRenew(FakeStore::down);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(hold::ensureHeld)
			.withMessageContaining("the store does not confirm");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aReplyFromBeforeASuspensionOrAStandstillConfirmsNothing(boolean suspended) {
		Runnable pause = suspended ? this.clock::standStill : () -> this.clock.jump(LEASE);
		Hold hold = acquired(waiter());
		this.clock.standStill();
		this.store.onRenew(() -> {
			this.store.onRenew(FakeStore::down);
			pause.run();
			return FakeStore.renewed();
		});
		assertThatExceptionOfType(LockLostException.class).isThrownBy(hold::ensureHeld);
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
		CompletableFuture<RenewReply> late = this.store.renewsLater();
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
		CompletableFuture<RenewReply> late = this.store.renewsLater();
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
		assertThat(hold.loss()).hasMessageContainingAll("ran out before it could be renewed", "store is down");
	}

	@Test
	void isNotHeldPastItsDeadlineEvenIfNoTimerFires() {
		Hold hold = acquired(waiter());
		this.clock.jump(Duration.ofSeconds(30));
		assertThat(hold.isHeld()).isFalse();
		assertThat(hold.loss()).hasMessageContaining("its lease ran out");
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
		CompletableFuture<RenewReply> late = this.store.renewsLater();
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

}
