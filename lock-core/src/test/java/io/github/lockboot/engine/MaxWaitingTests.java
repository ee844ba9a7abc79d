package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockNotAcquiredException.Reason;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.AcquireReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How many callers of this JVM may wait for one lock.
 */
class MaxWaitingTests extends SteppedEngine {

	private static final LockRequest LOCK = LockRequest.of("a").maxWaiting(2);

	private static final LockRequest PERMITS = LockRequest.of("a").permits(3).maxWaiting(1);

	static List<LockRequest> kinds() {
		return List.of(LOCK, LOCK.fair(true), LOCK.shared());
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void callerBeyondTheLimitIsRefusedAtOnceAndWithoutARequest(LockRequest kind) {
		List<Waiter> waiting = twoWaiting(kind, kind);
		assertThat(submitted(waiter(kind))).isCompletedWithValue(new Outcome.TooManyWaiting(2));
		assertThat(this.store.takeCalls()).isEmpty();
		assertThat(waiting).noneMatch(CompletableFuture::isDone);
	}

	@Test
	void callersOfAllKindsCountTogether() {
		twoWaiting(LOCK.fair(true), LOCK.shared());
		assertThat(submitted(waiter(LOCK))).isCompletedWithValue(new Outcome.TooManyWaiting(2));
	}

	@Test
	void holderDoesNotCount() {
		acquired(waiter(LOCK));
		assertThat(twoWaiting(LOCK, LOCK)).noneMatch(CompletableFuture::isDone);
		assertThat(submitted(waiter(LOCK))).isCompletedWithValue(new Outcome.TooManyWaiting(2));
	}

	@Test
	void callerWhoseWaitIsOverDoesNotCount() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		Waiter first = submitted(waiter(LOCK));
		submitted(waiter(LOCK));
		expire(first);
		assertThat(submitted(waiter(LOCK))).isNotDone();
	}

	@Test
	void callerThatTriesOnceIsNotRefusedButFindsTheLockBusy() {
		twoWaiting(LOCK, LOCK);
		assertThat(submitted(waiter(LOCK, LEASE.toMillis(), true)))
			.isCompletedWithValueMatching(Outcome.Busy.class::isInstance);
	}

	@Test
	void callerThatSharesTheLockAtOnceIsNeverRefused() {
		LockRequest shared = LOCK.shared().maxWaiting(1);
		assertThat(Stream.generate(() -> acquired(waiter(shared))).limit(5)).allMatch(Hold::isHeld);
	}

	@Test
	void callersThatRequestAFreeSharedLockAtTheSameTimeAreNotRefused() {
		CompletableFuture<AcquireReply> reply = this.store.acquiresLater();
		List<Waiter> readers = Stream.generate(() -> submitted(waiter(LOCK.shared()))).limit(5).toList();
		reply.complete(this.store.ownedReply());
		assertThat(readers).allMatch((reader) -> reader.join() instanceof Hold);
	}

	@Test
	void callersAreNotRefusedWhileThereMayBeAPermitForEach() {
		List<CompletableFuture<AcquireReply>> replies = new ArrayList<>();
		this.store.onAcquire(() -> {
			replies.add(new CompletableFuture<>());
			return replies.get(replies.size() - 1);
		});
		List<Waiter> callers = Stream.generate(() -> submitted(waiter(PERMITS))).limit(4).toList();
		replies.forEach((reply) -> reply.complete(this.store.ownedReply()));
		assertThat(callers.subList(0, 3)).allMatch((caller) -> caller.join() instanceof Hold);
		assertThat(callers.get(3)).isCompletedWithValue(new Outcome.TooManyWaiting(1));
	}

	@Test
	void whenOneCallerHasFoundAllPermitsInUseTheNextIsRefusedWithoutARequest() {
		queued(waiter(PERMITS));
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		this.store.takeCalls();
		assertThat(submitted(waiter(PERMITS))).isCompletedWithValue(new Outcome.TooManyWaiting(1));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertThat(submitted(waiter(PERMITS))).isCompletedWithValue(new Outcome.TooManyWaiting(1));
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2 })
	void callerWithAHigherLimitOrNoneWaitsThoughAnotherWasJustRefused(int limit) {
		queued(waiter(PERMITS));
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		submitted(waiter(PERMITS));
		assertThat(submitted(waiter(PERMITS.maxWaiting(limit)))).isNotDone();
	}

	@Test
	void callerBeyondTheLimitTriesAgainAfterAMoment() {
		queued(waiter(PERMITS));
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		submitted(waiter(PERMITS));
		this.clock.advance(Duration.ofMillis(250).minusNanos(1));
		this.store.takeCalls();
		submitted(waiter(PERMITS));
		assertThat(this.store.takeCalls()).doesNotContain("acquire");
		this.clock.advance(Duration.ofNanos(1));
		submitted(waiter(PERMITS));
		assertThat(this.store.takeCalls()).contains("acquire");
	}

	@Test
	void failureOfTheStoreIsNotReportedAsTooManyCallers() {
		queued(waiter(PERMITS));
		this.store.onAcquire(FakeStore::refusing);
		assertThat(submitted(waiter(PERMITS))).isCompletedWithValueMatching(Outcome.Failed.class::isInstance);
	}

	@Test
	void callForSeveralLocksMayAcquireOneBeforeItIsRefused() {
		this.store.onAcquire(
				() -> this.store.lastAttempt().lock().equals("b") ? FakeStore.queued(60_000, 0) : this.store.owned());
		try (LockTemplate locks = new LockTemplate(this.store, this.clock, LockDefaults.defaults(), List.of())) {
			LockRequest several = LockRequest.allOf("a", "b").maxWaiting(1).waitTime(Duration.ofMinutes(1));
			locks.acquireAsync(several.name("b"));
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> locks.acquire(several))
				.satisfies((refusal) -> assertThat(refusal.reason()).isEqualTo(Reason.TOO_MANY_WAITING));
			assertThat(this.store.releasedLocks()).containsExactly("a");
		}
	}

	private List<Waiter> twoWaiting(LockRequest one, LockRequest other) {
		List<Waiter> waiting = List.of(queued(waiter(one)), queued(waiter(other)));
		this.store.takeCalls();
		return waiting;
	}

}
