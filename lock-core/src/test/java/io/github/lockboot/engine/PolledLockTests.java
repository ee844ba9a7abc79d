package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long a JVM passes a polled lock between its callers, and how long it then leaves it
 * to others.
 */
class PolledLockTests extends SteppedEngine {

	private static final Duration SLICE = Duration.ofMillis(500);

	private static final Duration PAUSE = Duration.ofMillis(250);

	@BeforeEach
	void hideWaitersFromTheStore() {
		this.store.hideWaiters();
		this.store.onAcquire(this::owned);
	}

	@Test
	void leaseIsPassedFromCallerToCallerWithinASlice() {
		Hold first = hold(submitted());
		Waiter second = submitted();
		this.clock.advance(SLICE.minusNanos(1));
		first.close();
		assertThat(second).isDone();
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void lockIsLeftToOthersAfterASlice() {
		Waiter second = afterASlice();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		this.clock.advance(PAUSE.minusNanos(1));
		assertThat(this.store.takeCalls()).isEmpty();
		this.clock.advance(Duration.ofNanos(1));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertThat(second).isDone();
	}

	@Test
	void aCallerAfterASliceLeavesTheLockToOthersFirst() {
		hold(afterALoneSlice()).close();
		this.clock.advance(Duration.ofNanos(1));
		this.store.takeCalls();
		Waiter next = submitted();
		this.clock.advance(PAUSE.minusNanos(2));
		assertThat(this.store.takeCalls()).isEmpty();
		this.clock.advance(Duration.ofNanos(1));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertThat(next).isDone();
	}

	@Test
	void aCallerThatDoesNotWaitLongRequestsTheLockAtOnce() {
		hold(afterALoneSlice()).close();
		assertThat(submitted(LockRequest.of("a").waitTime(PAUSE))).isDone();
	}

	@Test
	void aCallerRequestsALockAtOnceThatWasFreeForLongEnoughInItsSlice() {
		for (int i = 0; i < 100; i++) {
			Hold hold = hold(submitted());
			this.clock.advance(PAUSE.dividedBy(2));
			hold.close();
			this.clock.advance(PAUSE.dividedBy(2));
		}
	}

	@Test
	void aCallerRequestsALockAtOnceForWhichNobodyWaitedAtItsRelease() {
		CompletableFuture<ReleaseReply> reply = new CompletableFuture<>();
		Hold hold = hold(afterALoneSlice());
		this.store.onRelease(() -> reply);
		hold.closeAsync();
		Waiter next = submitted();
		assertThat(next).isNotDone();
		reply.complete(ReleaseReply.UNAWAITED);
		assertThat(next).isDone();
	}

	@Test
	void lockIsRequestedAtOnceIfNobodyWaitedAtItsRelease() {
		CompletableFuture<ReleaseReply> reply = this.store.releasesLater();
		Hold first = hold(submitted());
		Waiter second = submitted();
		this.clock.advance(SLICE);
		first.closeAsync();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		reply.complete(ReleaseReply.UNAWAITED);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertNextSlice(hold(second));
	}

	@Test
	void lockIsRequestedAtOnceIfTheReplyThatNobodyWaitedCameEarly() {
		this.store.onRelease(() -> CompletableFuture.completedStage(ReleaseReply.UNAWAITED));
		Hold first = hold(submitted());
		Waiter second = submitted();
		this.clock.advance(SLICE);
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
		assertNextSlice(hold(second));
	}

	@Test
	void aLateReplyThatNobodyWaitedDoesNotEndTheSliceOfTheNextHolder() {
		CompletableFuture<ReleaseReply> reply = this.store.releasesLater();
		hold(submitted()).closeAsync();
		Hold next = hold(submitted());
		reply.complete(ReleaseReply.UNAWAITED);
		assertNextSlice(next);
	}

	private void assertNextSlice(Hold hold) {
		this.clock.advance(SLICE.minusNanos(1));
		Hold passed = passed(hold);
		Waiter next = submitted();
		this.store.onRelease(() -> CompletableFuture.completedStage(ReleaseReply.RELEASED));
		this.clock.advance(Duration.ofNanos(1));
		passed.close();
		assertThat(next).isNotDone();
	}

	@Test
	void sliceContinuesForCallersWithTheirOwnLeases() {
		Hold first = hold(submitted(LockRequest.of("a").renew(false)));
		Waiter second = submitted(LockRequest.of("a").renew(false));
		Waiter third = submitted(LockRequest.of("a").renew(false));
		this.clock.advance(SLICE.dividedBy(2));
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
		this.clock.advance(SLICE.dividedBy(2));
		hold(second).close();
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(third).isNotDone();
	}

	@Test
	void nextSliceIsTwiceAsLongIfNoOtherJvmTookTheLock() {
		Waiter second = afterASlice();
		this.clock.advance(PAUSE);
		Waiter third = submitted();
		this.clock.advance(SLICE.multipliedBy(2).minusNanos(1));
		hold(second).close();
		assertThat(third).isDone();
	}

	@Test
	void slicesStayShorterThanTheDefaultWaitTime() {
		Waiter holder = submitted();
		for (int i = 0; i < 10; i++) {
			Waiter next = submitted();
			this.clock.advance(Duration.ofSeconds(2));
			hold(holder).close();
			assertThat(next).isNotDone();
			this.clock.advance(PAUSE);
			holder = next;
		}
	}

	@Test
	void nextSliceIsShortAgainIfAnotherJvmTookTheLock() {
		Waiter second = afterASlice();
		this.store.onAcquire(() -> FakeStore.busy(30_000));
		this.clock.advance(PAUSE);
		this.store.onAcquire(this::owned);
		this.clock.advance(Duration.ofSeconds(1));
		Waiter third = submitted();
		this.clock.advance(SLICE.multipliedBy(2).minusNanos(1));
		hold(second).close();
		assertThat(third).isNotDone();
	}

	@Test
	void callerWhoseWaitTimeEndsDuringAPauseForOthersSendsNoRequest() {
		Waiter second = afterASlice();
		this.store.takeCalls();
		expire(second);
		assertThat(second.join()).isInstanceOf(Outcome.Busy.class);
		this.clock.advance(PAUSE);
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void aRenewalReportsThatWaitersAreUnknownFromNowOn() {
		this.store.onAcquire(() -> CompletableFuture.completedStage(this.store.ownedReply()))
			.onRenew(() -> CompletableFuture
				.completedStage(new RenewReply.Renewed(Long.MAX_VALUE / 2, LockStore.UNKNOWN_QUEUE)));
		Hold first = hold(submitted());
		this.clock.advance(Duration.ofSeconds(9));
		Hold second = passed(first);
		this.clock.advance(Duration.ofSeconds(2));
		Waiter third = submitted();
		second.close();
		assertThat(third).isNotDone();
	}

	@Test
	void furtherCallersShareALockForAMoment() {
		LockRequest shared = LockRequest.of("a").shared();
		hold(submitted(shared));
		this.clock.advance(Duration.ofMillis(50).minusNanos(1));
		hold(submitted(shared));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		this.clock.advance(Duration.ofNanos(1));
		submitted(shared);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void callerThatIsNotifiedPollsOnlyInCaseANotificationIsLost() {
		waitForANotification();
		this.clock.advance(Duration.ofMillis(1700));
		assertThat(this.store.takeCalls()).isEmpty();
		this.clock.advance(Duration.ofMillis(300));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void aNotificationLetsTheCallerRequestAgain() {
		Waiter waiter = waitForANotification();
		this.store.onAcquire(this::owned).push().released("another");
		assertThat(waiter).isNotDone();
		this.store.push().released("a");
		assertThat(waiter).isDone();
	}

	@Test
	void aNotificationThatOvertakesTheReplyLetsTheCallerRequestAgain() {
		Waiter waiter = waitForANotification();
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		this.store.push().released("a");
		this.store.onAcquire(this::owned).push().released("a");
		assertThat(waiter).isNotDone();
		reply.complete(new AcquireReply.Busy(30_000, true));
		assertThat(waiter).isDone();
	}

	@Test
	void aNotificationDoesNotEndThePauseForOthers() {
		Waiter second = afterASlice();
		this.store.takeCalls();
		this.store.push().released("a");
		assertThat(second).isNotDone();
		assertThat(this.store.takeCalls()).isEmpty();
	}

	private Waiter waitForANotification() {
		this.store.onAcquire(() -> CompletableFuture.completedStage(new AcquireReply.Busy(30_000, true)));
		Waiter waiter = submitted();
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		return waiter;
	}

	/** Return a holder at the end of a slice, in which nobody waited here. */
	private Waiter afterALoneSlice() {
		hold(submitted()).close();
		Waiter holder = submitted();
		this.clock.advance(SLICE);
		return holder;
	}

	/** Return the waiter after the end of a slice. */
	private Waiter afterASlice() {
		Hold first = hold(submitted());
		Waiter second = submitted();
		this.clock.advance(SLICE);
		first.close();
		assertThat(second).isNotDone();
		return second;
	}

	private CompletableFuture<AcquireReply> owned() {
		return CompletableFuture.completedFuture(this.store.ownedReply(LockStore.UNKNOWN_QUEUE));
	}

	private Waiter submitted() {
		return submitted(LockRequest.of("a"));
	}

}
