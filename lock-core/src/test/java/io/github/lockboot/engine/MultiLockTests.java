package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several locks at once, with a stepped clock and a store whose replies the test sets.
 */
class MultiLockTests extends SteppedLocks {

	private static final LockRequest BOTH = LockRequest.allOf("b", "a").waitTime(Duration.ofMinutes(5));

	private static final LockRequest ONCE = BOTH.waitTime(Duration.ZERO);

	@Test
	void allLocksAreRequestedBeforeAnyReply() {
		List<CompletableFuture<AcquireReply>> replies = answersLater(2);
		CompletableFuture<LockHandle> both = async(BOTH);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire");
		replies.forEach((reply) -> reply.complete(this.store.ownedReply()));
		assertThat(both.join().name()).isEqualTo("a + b");
	}

	@Test
	void allLocksAreReleasedBeforeAnyReply() {
		LockHandle both = this.locks.acquire(BOTH.release(LockRelease.CONFIRMED));
		this.store.takeCalls();
		CompletableFuture<ReleaseReply> reply = this.store.releasesLater();
		CompletionStage<Void> closed = both.closeAsync();
		assertThat(this.store.takeCalls()).containsExactly("release", "release");
		assertThat(closed.toCompletableFuture()).isNotDone();
		reply.complete(ReleaseReply.RELEASED);
		assertThat(closed).succeedsWithin(Duration.ofSeconds(30));
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void remainingLeaseIsTheShortestOfAll() {
		LockHandle both = this.locks.acquire(BOTH);
		this.store.onRenew(() -> {
			this.store.onRenew(FakeStore::down);
			return FakeStore.renewed();
		});
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(both.remainingLease()).isEqualTo(Duration.ofMillis(20_000 - 300 - 2));
	}

	@Test
	void eachLockIsRenewed() {
		this.locks.acquire(BOTH);
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.store.takeCalls()).containsExactly("renew", "renew");
	}

	@Test
	void theLossOfSeveralLocksIsToldOnce() {
		AtomicInteger told = new AtomicInteger();
		this.locks.acquire(BOTH).onLost((QuickCallback) told::incrementAndGet);
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.NotOwner()));
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(told).hasValue(1);
	}

	@Test
	void noLockAfterOneThatIsBusyInThisJvmIsRequested() {
		this.locks.acquire("a");
		this.store.takeCalls();
		assertThat(this.locks.tryAcquire(ONCE)).isNull();
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void failedTryNamesTheLockThatStaysBusyForLongest() {
		List<CompletableFuture<AcquireReply>> replies = answersLater(2);
		CompletableFuture<LockHandle> both = async(ONCE);
		replies.get(0).complete(new AcquireReply.Busy(1000));
		replies.get(1).complete(new AcquireReply.Busy(60_000));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(both::join)
			.havingCause()
			.isInstanceOfSatisfying(LockNotAcquiredException.class, (ex) -> assertThat(ex.lockName()).isEqualTo("b"));
	}

	@Test
	void failedTryLeavesNothingBehind() {
		answersOnceOwned(() -> FakeStore.busy(60_000));
		assertThat(this.locks.tryAcquire(ONCE)).isNull();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire", "release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void failedTryEndsWhenTheOtherLocksAreFreeAgain() {
		CompletableFuture<ReleaseReply> released = this.store.releasesLater();
		answersOnceOwned(() -> FakeStore.busy(60_000));
		CompletableFuture<LockHandle> refused = this.locks.tryAcquireAsync(ONCE).toCompletableFuture();
		awaitCalls("acquire", "acquire", "release");
		assertThat(refused).isNotDone();
		released.complete(ReleaseReply.RELEASED);
		assertThat(refused).succeedsWithin(Duration.ofSeconds(30)).isNull();
	}

	@Test
	void failedTryEndsWhenALockBehindTheBusyOneIsFreeAgain() {
		CompletableFuture<ReleaseReply> released = this.store.releasesLater();
		List<CompletableFuture<AcquireReply>> replies = answersLater(2);
		CompletableFuture<LockHandle> refused = this.locks.tryAcquireAsync(ONCE).toCompletableFuture();
		replies.get(0).complete(new AcquireReply.Busy(60_000));
		replies.get(1).complete(this.store.ownedReply());
		awaitCalls("acquire", "acquire", "release");
		assertThat(refused).isNotDone();
		released.complete(ReleaseReply.RELEASED);
		assertThat(refused).succeedsWithin(Duration.ofSeconds(30)).isNull();
	}

	@Test
	void locksBeforeTheBusyOneAreKeptAndThoseAfterItAreReleased() {
		List<CompletableFuture<AcquireReply>> replies = answersLater(4);
		async(LockRequest.allOf("a", "b", "c").waitTime(Duration.ofMinutes(5)));
		replies.get(0).complete(this.store.ownedReply());
		replies.get(1).complete(new AcquireReply.Busy(60_000));
		replies.get(2).complete(this.store.ownedReply());
		awaitCalls("acquire", "acquire", "acquire", "release", "acquire");
		assertThat(this.locks.activity().held()).extracting((held) -> held.name()).containsExactly("a");
		assertThat(this.locks.activity().waiting()).extracting((waiting) -> waiting.name()).containsExactly("b");
	}

	@Test
	void callIsReleasedIfItHasNoReplyButNotIfTheStoreRejectsIt() {
		this.store.onAcquire(FakeStore::down);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire(ONCE));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		this.store.onAcquire(FakeStore::refusing);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire(ONCE));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void interveningCallerContinuesWhenTheTryFails() {
		List<CompletableFuture<AcquireReply>> replies = answersLater(2);
		this.locks.tryAcquireAsync(ONCE);
		CompletableFuture<LockHandle> single = async(LockRequest.of("b"));
		replies.forEach((reply) -> reply.complete(new AcquireReply.Busy(60_000)));
		assertThat(single).succeedsWithin(Duration.ofSeconds(10)).matches(LockHandle::isHeld);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire", "acquire");
	}

	@Test
	void interveningCallerWaitsForTheLockThatIsHeld() {
		List<CompletableFuture<AcquireReply>> replies = answersLater(2);
		CompletableFuture<LockHandle> both = async(BOTH);
		CompletableFuture<LockHandle> single = async(LockRequest.of("a"));
		replies.forEach((reply) -> reply.complete(this.store.ownedReply()));
		LockHandle held = both.join();
		assertThat(single).isNotDone();
		held.close();
		assertThat(single.join().isHeld()).isTrue();
	}

	@Test
	void locksAcquiredAfterACancelAreReleased() {
		List<CompletableFuture<AcquireReply>> replies = answersLater(2);
		async(BOTH).cancel(false);
		replies.forEach((reply) -> reply.complete(this.store.ownedReply()));
		awaitCalls("acquire", "acquire", "release", "release");
		Awaitility.await().until(() -> this.clock.pending() == 0);
	}

	@Test
	void locksWhoseReplyTookLongerThanTheLeaseAreRequestedAgain() {
		List<CompletableFuture<AcquireReply>> replies = answersLater(2);
		CompletableFuture<LockHandle> both = async(BOTH);
		this.clock.jump(Duration.ofMinutes(1));
		replies.forEach((reply) -> reply.complete(this.store.ownedReply()));
		assertThat(both.join().isHeld()).isTrue();
	}

	@Test
	void aFixedLeaseBeginsAgainOnceAllLocksAreHeld() {
		CompletableFuture<LockHandle> both = heldAfterAWait(BOTH.renew(false), Duration.ofSeconds(20));
		assertThat(both.join().remainingLease()).isEqualTo(Duration.ofMillis(30_000 - 300 - 2));
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(29));
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void aLeaseOfWhichHalfIsLeftIsNotRenewedForTheOthers() {
		heldAfterAWait(BOTH.renew(false), Duration.ofSeconds(10)).join();
		assertThat(this.store.takeCalls()).doesNotContain("renew");
	}

	@Test
	void locksOfWhichOneCannotBeRenewedAreRequestedAgain() {
		this.store.onRenew(FakeStore::down);
		CompletableFuture<LockHandle> both = heldAfterAWait(BOTH, Duration.ofSeconds(20));
		awaitCalls("acquire", "acquire", "acquire", "renew", "renew", "release", "release", "acquire", "acquire");
		assertThat(both.join().remainingLease()).isEqualTo(Duration.ofMillis(30_000 - 300 - 2));
	}

	@Test
	void locksOfWhichOneCannotBeRenewedInTimeFail() {
		this.store.onRenew(FakeStore::down);
		CompletableFuture<LockHandle> both = heldAfterAWait(BOTH.waitTime(Duration.ofSeconds(20)),
				Duration.ofSeconds(20));
		assertThat(both).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContainingAll("Lock 'a' could not be acquired", "could not be renewed");
		awaitCalls("acquire", "acquire", "acquire", "renew", "renew", "release", "release");
	}

	@Test
	void aCancelDuringTheRenewalReleasesTheLocks() {
		this.store.onRenew(CompletableFuture::new);
		CompletableFuture<LockHandle> both = heldAfterAWait(BOTH, Duration.ofSeconds(20));
		Awaitility.await().until(() -> this.store.calls() == 5);
		both.cancel(false);
		awaitCalls("acquire", "acquire", "acquire", "renew", "renew", "release", "release");
	}

	/** Request locks of which the second one is busy for a time. */
	private CompletableFuture<LockHandle> heldAfterAWait(LockRequest request, Duration wait) {
		List<CompletableFuture<AcquireReply>> replies = answersLater(3);
		CompletableFuture<LockHandle> both = async(request);
		replies.get(0).complete(this.store.ownedReply());
		replies.get(1).complete(new AcquireReply.Busy(60_000));
		Awaitility.await().until(() -> this.store.calls() == 3);
		this.clock.jump(wait);
		replies.get(2).complete(this.store.ownedReply());
		return both;
	}

	@Test
	void minHoldTimeAppliesToEachLock() {
		LockHandle both = this.locks.acquire(BOTH.minHoldTime(Duration.ofSeconds(20)));
		this.store.takeCalls();
		both.close();
		assertThat(this.store.takeCalls()).containsExactly("release later", "release later");
	}

	@Test
	void minHoldTimeDoesNotApplyToALockThatIsReleasedBecauseAnotherIsBusy() {
		answersOnceOwned(() -> FakeStore.busy(60_000));
		assertThat(this.locks.tryAcquire(ONCE.minHoldTime(Duration.ofSeconds(20)))).isNull();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire", "release");
	}

	@Test
	void tryWithoutAReplyEndsWithTheWaitTime() {
		answersLater(2);
		CompletableFuture<LockHandle> both = async(BOTH.waitTime(Duration.ofMillis(500)));
		this.clock.advance(Duration.ofMillis(499));
		assertThat(both).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(both::join)
			.withCauseInstanceOf(LockUnavailableException.class);
	}

	@Test
	void waitTimeCountsForAllLocksTogether() {
		LockHandle first = this.locks.acquire("a");
		this.locks.acquire("b");
		CompletableFuture<LockHandle> both = async(BOTH.waitTime(Duration.ofSeconds(3)));
		this.clock.advance(Duration.ofSeconds(1));
		first.close();
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.locks.activity().waiting()).extracting((waiting) -> waiting.name())
				.containsExactly("b"));
		this.clock.advance(Duration.ofMillis(1_999));
		assertThat(both).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(both).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(LockNotAcquiredException.class,
					(refusal) -> assertThat(refusal.waited()).isEqualTo(Duration.ofSeconds(3)));
	}

	@Test
	void nothingIsRequestedAfterTheTemplateIsClosed() {
		this.locks.close();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire(BOTH));
		assertThat(this.store.takeCalls()).isEmpty();
	}

	private CompletableFuture<LockHandle> async(LockRequest request) {
		return this.locks.acquireAsync(request).toCompletableFuture();
	}

	private List<CompletableFuture<AcquireReply>> answersLater(int number) {
		List<CompletableFuture<AcquireReply>> replies = Stream.generate(() -> new CompletableFuture<AcquireReply>())
			.limit(number)
			.toList();
		Queue<CompletableFuture<AcquireReply>> next = new ArrayDeque<>(replies);
		this.store.onAcquire(() -> next.isEmpty() ? this.store.owned() : next.remove());
		return replies;
	}

	private void answersOnceOwned(Supplier<CompletionStage<AcquireReply>> next) {
		this.store.onAcquire(() -> {
			this.store.onAcquire(next);
			return this.store.owned();
		});
	}

	private void awaitCalls(String... calls) {
		List<String> made = new ArrayList<>();
		Awaitility.await().untilAsserted(() -> {
			made.addAll(this.store.takeCalls());
			assertThat(made).containsExactly(calls);
		});
	}

}
