package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several locks at once on a stepped clock and a store whose answers the test sets.
 */
class JointTryTests {

	private static final long LEASE_MILLIS = 30_000;

	private final SteppedClock clock = new SteppedClock();

	private final FakeStore store = new FakeStore();

	private final LockEngine engine = new LockEngine(this.store, this.clock, List.of());

	private final Calls calls = new Calls(this.engine, LockDefaults.defaults(), new ThreadHolds());

	/** What the store is to answer later. */
	private final CompletableFuture<Map<Attempt, AcquireReply>> reply = new CompletableFuture<>();

	private @Nullable Set<Attempt> asked;

	JointTryTests() {
		this.store.onAcquireAll(this.store::allOwned);
	}

	@AfterEach
	void close() {
		this.engine.close();
	}

	@Test
	void freeLocksAreAskedForByOneCall() {
		JointTry joint = begin();
		assertThat(this.store.takeCalls()).containsExactly("acquire 2");
		assertThat(joint.holds()).extracting(Hold::name).containsExactly("a", "b");
		assertThat(joint.refusal()).isNull();
	}

	@Test
	void locksAreGivenBackByOneCall() {
		JointHold hold = new JointHold(this.engine, begin().holds());
		this.store.takeCalls();
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("release 2");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void eachLockIsRenewed() {
		begin();
		this.store.takeCalls();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.store.takeCalls()).containsExactly("renew", "renew");
	}

	@Test
	void lockThatIsKnownToBeBusyHereCostsNoCall() {
		Waiter other = submitted(single("b"));
		this.store.takeCalls();
		JointTry joint = begin();
		assertThat(this.store.takeCalls()).isEmpty();
		assertThat(joint.isUndecided()).isFalse();
		assertThat(Objects.requireNonNull(joint.refusal()).call().request().name()).isEqualTo("b");
		assertThat(other.join()).isInstanceOf(Hold.class);
	}

	@Test
	void lockThatAnotherCallerIsAboutToGetLeavesItOpen() {
		CompletableFuture<AcquireReply> single = new CompletableFuture<>();
		this.store.onAcquire(() -> single);
		Waiter other = submitted(single("b"));
		JointTry joint = begin();
		assertThat(joint.isUndecided()).isTrue();
		assertThat(joint.ended()).isDone();
		single.complete(this.store.ownedReply());
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertThat(other.join()).isInstanceOf(Hold.class);
	}

	@Test
	void refusedTryLeavesNothingBehind() {
		this.store.onAcquireAll((attempts) -> CompletableFuture.completedStage(FakeStore.allBusyReply(attempts)));
		assertThat(begin().holds()).isEmpty();
		assertThat(this.store.takeCalls()).containsExactly("acquire 2");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void callWithoutAnAnswerIsTakenBackForEachLock() {
		this.store.onAcquireAll((attempts) -> FakeStore.down());
		JointTry joint = begin();
		assertThat(Objects.requireNonNull(joint.refusal()).outcome()).isInstanceOf(Outcome.Failed.class);
		assertThat(this.store.takeCalls()).containsExactly("acquire 2", "release", "release");
	}

	@Test
	void callThatTheStoreRefusesNeedsNoRelease() {
		this.store.onAcquireAll((attempts) -> FakeStore.refusing());
		begin();
		assertThat(this.store.takeCalls()).containsExactly("acquire 2");
	}

	@Test
	void callerThatComesMeanwhileGoesOnWhenTheTryIsRefused() {
		this.store.onAcquireAll(this::later);
		begin();
		Waiter single = submitted(single("a"));
		this.reply.complete(FakeStore.allBusyReply(Objects.requireNonNull(this.asked)));
		assertThat(single.join()).isInstanceOf(Hold.class);
		assertThat(this.store.takeCalls()).containsExactly("acquire 2", "acquire");
	}

	@Test
	void callerThatComesMeanwhileWaitsForTheLockThatWasHad() {
		this.store.onAcquireAll(this::later);
		JointTry joint = begin();
		Waiter single = submitted(single("a"));
		this.reply.complete(this.store.allOwnedReply(Objects.requireNonNull(this.asked)));
		assertThat(single).isNotDone();
		new JointHold(this.engine, joint.holds()).close();
		assertThat(single.join()).isInstanceOf(Hold.class);
		assertThat(this.store.takeCalls()).containsExactly("acquire 2", "release 1");
	}

	@Test
	void locksThatComeTooLateAreGivenBack() {
		this.store.onAcquireAll(this::later);
		JointTry joint = begin();
		joint.leave();
		assertThat(joint.ended()).isDone();
		this.reply.complete(this.store.allOwnedReply(Objects.requireNonNull(this.asked)));
		assertThat(this.store.takeCalls()).containsExactly("acquire 2", "release", "release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void lockThatWasSharedAtOnceIsGivenBackByACallerWhoLeaves() {
		LockRequest shared = LockRequest.allOf("a", "b").shared();
		Hold other = (Hold) submitted(waiter(shared.name("a"))).join();
		this.store.onAcquireAll(this::later);
		JointTry joint = begin(shared);
		joint.leave();
		other.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "acquire 1", "release");
	}

	@Test
	void locksWhoseAnswerTookLongerThanTheLeaseAreAskedForAgain() {
		this.store.onAcquireAll(this::later);
		JointTry joint = begin();
		this.clock.jump(Duration.ofMinutes(1));
		this.reply.complete(this.store.allOwnedReply(Objects.requireNonNull(this.asked)));
		assertThat(this.store.takeCalls()).containsExactly("acquire 2", "release", "acquire", "release", "acquire");
		assertThat(joint.holds()).hasSize(2).allMatch(Hold::isHeld);
	}

	@Test
	void shortestHoldIsKeptForEachLock() {
		LockRequest kept = LockRequest.allOf("a", "b").minHoldTime(Duration.ofSeconds(20));
		JointHold hold = new JointHold(this.engine, begin(kept).holds());
		this.store.takeCalls();
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("release later", "release later");
	}

	@Test
	void tryWithoutAnAnswerEndsWithTheWaitTime() {
		this.store.onAcquireAll(this::later);
		JointTry joint = begin(LockRequest.allOf("a", "b").waitTime(Duration.ofMillis(500)));
		this.clock.advance(Duration.ofMillis(499));
		assertThat(joint.ended()).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(joint.ended()).isDone();
		assertThat(joint.holds()).isEmpty();
	}

	@Test
	void nothingIsAskedForOnceTheLocksAreClosed() {
		this.engine.close();
		JointTry joint = begin();
		assertThat(joint.ended()).isDone();
		assertThat(Objects.requireNonNull(joint.refusal()).outcome()).isInstanceOf(Outcome.Failed.class);
		assertThat(this.store.takeCalls()).isEmpty();
	}

	private CompletionStage<Map<Attempt, AcquireReply>> later(Set<Attempt> attempts) {
		this.asked = attempts;
		return this.reply;
	}

	private JointTry begin() {
		return begin(LockRequest.allOf("b", "a"));
	}

	private JointTry begin(LockRequest request) {
		return new JointTry(this.engine, this.calls, this.calls.beginAll(request));
	}

	private Waiter submitted(Waiter waiter) {
		this.engine.submit(waiter);
		return waiter;
	}

	private Waiter single(String name) {
		return waiter(LockRequest.of(name));
	}

	private Waiter waiter(LockRequest request) {
		return Waiters.of(this.engine, request, LEASE_MILLIS, false);
	}

}
