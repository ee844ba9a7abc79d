package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a release does: requests to the store, and leases that are passed on.
 */
class ReleaseTests extends SteppedEngine {

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

	@Test
	void eachHolderReleasesItsOwnPermit() {
		acquired(waiter(LockRequest.of("a").permits(2)));
		acquired(waiter(LockRequest.of("a").permits(2))).close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire", "release");
	}

	// ---- passing

	@Test
	void passesTheLeaseToTheNextWaiterWithoutTheStore() {
		Hold first = acquired(waiter());
		Waiter second = submitted(waiter());
		Waiter third = submitted(waiter());
		first.close();
		assertThat(second).isDone();
		assertThat(third).isNotDone();
		assertThat(this.store.takeCalls()).containsExactly("acquire");
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
		CompletableFuture<AcquireReply> late = this.store.acquiresLater();
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
	void isNotPassedIfLessThanHalfOfTheNextLeaseIsLeft() {
		Hold first = acquired(waiter(LockRequest.of("a"), 10_000, false));
		submitted(waiter(LockRequest.of("a"), 30_000, false));
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

}
