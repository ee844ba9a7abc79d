package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that a JVM keeps after its release, on a stepped clock and a store whose answers
 * the test sets.
 */
class RetentionTests extends SteppedEngine {

	private static final Duration RETAIN = Duration.ofMinutes(1);

	/** How long a lock waits for its next caller while another JVM waits. */
	private static final Duration HOLD_OFF = Duration.ofNanos(300_000);

	/** How long a JVM uses a lock while another one waits. */
	private static final Duration TURN = Duration.ofMillis(5);

	/** After this time without a holder the lease is cut down. */
	private static final Duration IDLE = Duration.ofMillis(100);

	private static final LockRequest PLAIN = LockRequest.of("a");

	private static final LockRequest RETAINED = LockRequest.of("a").retainTime(RETAIN);

	private final List<String> losses = new ArrayList<>();

	@Override
	List<LockListener> listeners() {
		return List.of(new LockListener() {

			@Override
			public void onLost(LockRequest request, LockHandle handle, LockLostException loss) {
				RetentionTests.this.losses.add(request.name());
			}

		});
	}

	// ---- taken again

	@Test
	void takesTheLockAgainWithoutTheStore() {
		use(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		use(RETAINED);
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void releasesTheLockByDefault() {
		use(PLAIN);
		use(PLAIN);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire", "release");
	}

	@Test
	void eachHolderGetsAGreaterToken() {
		long first = use(RETAINED).fencingToken();
		assertThat(use(RETAINED).fencingToken()).isGreaterThan(first);
	}

	@Test
	void setsNoTimerForEachRelease() {
		use(RETAINED);
		int timers = this.clock.pending();
		Duration next = this.clock.untilNext();
		for (int i = 0; i < 100; i++) {
			use(RETAINED);
		}
		assertThat(this.clock.pending()).isEqualTo(timers);
		assertThat(this.clock.untilNext()).isEqualTo(next);
	}

	/** The reply tells of others that wait, if a push was missed. */
	@Test
	void aLockInSteadyUseIsRenewedOnceASecondAndKeepsItsLease() {
		for (int i = 0; i < 100; i++) {
			use(RETAINED);
			this.clock.advance(IDLE.minusNanos(1));
		}
		assertThat(this.store.takeCalls()).hasSizeBetween(9, 11)
			.startsWith("acquire", "renew")
			.doesNotContain("release");
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(30_000);
	}

	@Test
	void theLongestHoldIsThatOfEachHolder() {
		LockRequest limited = RETAINED.maxHoldTime(Duration.ofSeconds(40));
		use(limited);
		this.clock.advance(Duration.ofSeconds(30));
		Hold hold = acquired(limited);
		this.clock.advance(Duration.ofSeconds(38));
		assertThat(hold.isHeld()).isTrue();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(hold.isHeld()).isFalse();
	}

	@Test
	void reservesTokensBeforeTheyAreUsedUp() {
		this.store.onAcquire(() -> owned(8, 0));
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.Renewed(1000, 0)));
		for (int i = 0; i < 4; i++) {
			use(RETAINED);
		}
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		for (int i = 0; i < 20; i++) {
			use(RETAINED);
		}
		assertThat(this.store.takeCalls()).containsExactly("renew");
	}

	@Test
	void asksTheStoreIfNoTokensAreLeft() {
		this.store.onAcquire(() -> owned(3, 0)).onRenew(CompletableFuture::new);
		for (int i = 0; i < 4; i++) {
			use(RETAINED);
		}
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
		use(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("release", "acquire");
	}

	// ---- idle

	@Test
	void theLeaseOfAnIdleLockIsCutDownByOneCommand() {
		use(RETAINED);
		this.store.takeCalls();
		this.clock.advance(IDLE);
		assertThat(this.store.takeCalls()).containsExactly("renew");
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(2000);
	}

	@Test
	void anIdleLockIsRenewedUntilItsTimeIsOver() {
		idle();
		this.clock.advance(RETAIN.minus(IDLE).minusNanos(1));
		assertThat(this.store.takeCalls()).hasSizeBetween(80, 100).containsOnly("renew");
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(2000);
		this.clock.advance(Duration.ofNanos(1));
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void aShortTimeEndsInTime() {
		use(RETAINED);
		use(RETAINED.retainTime(Duration.ofMillis(30)));
		this.store.takeCalls();
		this.clock.advance(Duration.ofMillis(30).minusNanos(1));
		assertThat(this.store.takeCalls()).isEmpty();
		this.clock.advance(Duration.ofNanos(1));
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void aShortLeaseIsNotChanged() {
		use(RETAINED, 1500);
		this.store.takeCalls();
		this.clock.advance(IDLE);
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void theNextHolderBeginsOnTheShortLeaseAndGetsItsOwnByOneCommand() {
		idle();
		CompletableFuture<RenewReply> reply = this.store.renewsLater();
		Hold hold = acquired(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("renew");
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(30_000);
		assertThat(hold.remainingLease()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
		reply.complete(new RenewReply.Renewed(Long.MAX_VALUE / 2, 0));
		assertThat(hold.remainingLease()).isGreaterThan(Duration.ofSeconds(29));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1_100, 3_000 })
	void noHolderBeginsOnLessThanHalfOfTheShortLease(int millis) {
		idle();
		this.clock.jump(Duration.ofMillis(millis));
		this.store.takeCalls();
		assertThat(acquired(RETAINED).remainingLease()).isGreaterThan(Duration.ofSeconds(29));
		assertThat(this.store.takeCalls()).containsExactly("release", "acquire");
		assertThat(this.losses).isEmpty();
	}

	/** Two renewals may reach the store in another order. */
	@Test
	void aLeaseIsNotLongAgainBeforeTheStoreHasRepliedThatItIsShort() {
		use(RETAINED);
		CompletableFuture<RenewReply> cut = this.store.renewsLater();
		this.clock.advance(IDLE);
		this.store.takeCalls();
		Hold hold = acquired(RETAINED);
		assertThat(this.store.takeCalls()).isEmpty();
		this.store.onRenew(FakeStore::renewed);
		cut.complete(new RenewReply.Renewed(Long.MAX_VALUE / 2, 0));
		assertThat(this.store.takeCalls()).containsExactly("renew");
		assertThat(this.store.lastAttempt().leaseMillis()).isEqualTo(30_000);
		assertThat(hold.remainingLease()).isGreaterThan(Duration.ofSeconds(29));
	}

	@Test
	void aLeaseStaysShortIfTheStoreMayCutItLate() {
		use(RETAINED);
		CompletableFuture<RenewReply> cut = this.store.renewsLater();
		this.clock.advance(IDLE);
		Hold hold = acquired(RETAINED);
		this.store.onRenew(FakeStore::renewed);
		cut.completeExceptionally(new IllegalStateException("no reply"));
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(hold.isHeld()).isTrue();
		assertThat(hold.remainingLease()).isLessThan(Duration.ofSeconds(2));
		this.store.takeCalls();
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void aShortestHoldNeedsALeaseThatLastsForIt() {
		idle();
		acquired(RETAINED.minHoldTime(Duration.ofSeconds(10)));
		assertThat(this.store.takeCalls()).containsExactly("release", "acquire");
	}

	@Test
	void aFixedLeaseBeginsAnew() {
		use(RETAINED);
		acquired(RETAINED.renew(false));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void aLockThatIsRetainedIsNotHeld() {
		use(RETAINED);
		assertThat(this.engine.activity(null).held()).isEmpty();
	}

	@Test
	void ofManyIdleLocksThoseThatWereIdleForLongestAreReleased() {
		loseAnIdleLock();
		idle();
		this.store.push().queuedBehind(this.store.lastAttempt().id());
		for (int i = 0; i < 500; i++) {
			use(RETAINED.name("lock" + i));
		}
		this.clock.advance(IDLE);
		use(RETAINED.name("lock0"));
		this.clock.advance(IDLE);
		this.store.takeCalls();
		use(RETAINED.name("one more"));
		this.clock.advance(IDLE);
		assertThat(this.store.takeCalls()).contains("release");
		assertThat(this.store.releasedLocks()).containsExactly("a", "lock1");
	}

	// ---- let go

	static Stream<Named<Consumer<RetentionTests>>> reasons() {
		return Stream.of(
				Named.of("another JVM queues", (test) -> test.store.push().queuedBehind(test.store.lastAttempt().id())),
				Named.of("a push may have been missed", (test) -> test.store.push().missed()),
				Named.of("a standstill", (test) -> test.clock.suspend()),
				Named.of("the application stops", (test) -> test.engine.stop()));
	}

	@ParameterizedTest
	@MethodSource("reasons")
	void isReleasedAtOnceFor(Consumer<RetentionTests> reason) {
		idle();
		reason.accept(this);
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(this.clock.pending()).isZero();
		assertThat(this.engine.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void isNotRetainedIfAnotherJvmHasQueuedBefore() {
		Hold hold = acquired(RETAINED);
		this.store.push().queuedBehind(this.store.lastAttempt().id());
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, LockStore.UNKNOWN_QUEUE })
	void isNotRetainedIfAnotherJvmWaitedOrMayPollWhenItWasAcquired(long queued) {
		this.store.onAcquire(() -> owned(1000, queued));
		use(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, LockStore.UNKNOWN_QUEUE })
	void isReleasedIfARenewalReportsThatOthersWaitOrMayPoll(long queued) {
		idle();
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.Renewed(Long.MAX_VALUE / 2, queued)));
		this.clock.advance(Duration.ofMillis(700));
		assertThat(this.store.takeCalls()).containsExactly("renew", "release");
	}

	@Test
	void isReleasedIfARenewalFails() {
		idle();
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofMillis(700));
		assertThat(this.store.takeCalls()).containsExactly("renew", "release");
	}

	/** The store keeps the long lease, which the failed renewal was to cut down. */
	@Test
	void anIdleLockIsReleasedAfterAnOutageThatIsLongerThanItsShortLease() {
		use(RETAINED);
		this.store.onRenew(FakeStore::down).onRelease(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(5));
		this.store.onRelease(FakeStore::released).takeCalls();
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void noHolderBeginsAfterAStandstillThatIsNotReportedYet() {
		use(RETAINED);
		this.clock.standStill();
		acquired(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void isNotRetainedWhileTheApplicationStops() {
		Hold hold = acquired(RETAINED);
		this.engine.stop();
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@Test
	void aForcedReleaseNotifiesNobody() {
		idle();
		this.store.push().taken(this.store.lastAttempt().id());
		this.store.takeCalls();
		assertThat(this.clock.pending()).isZero();
		use(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertThat(this.losses).isEmpty();
	}

	@Test
	void aLockThatIsLostWhileNobodyHoldsItIsAcquiredAnew() {
		loseAnIdleLock();
		this.store.takeCalls();
		use(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		assertThat(this.losses).isEmpty();
	}

	@Test
	void isReleasedForCallersOfThisJvmThatNeedAnotherAttempt() {
		use(RETAINED);
		acquired(LockRequest.of("a").shared()).close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire", "release");
		use(RETAINED);
		acquired(LockRequest.of("a").fair(true)).close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire", "release");
	}

	@Test
	void isNotRetainedIfItIsSharedOrFairOrFixedOrKeptTaken() {
		assertReleased(RETAINED.shared(), "release");
		assertReleased(RETAINED.fair(true), "release");
		assertReleased(RETAINED.renew(false), "release");
		assertReleased(RETAINED.minHoldTime(Duration.ofSeconds(1)), "release later");
	}

	// ---- in vain

	@Test
	void aRetentionInVainIsNotRepeatedAtOnce() {
		use(RETAINED);
		this.store.push().queuedBehind(this.store.lastAttempt().id());
		for (int i = 0; i < 16; i++) {
			this.store.takeCalls();
			use(RETAINED);
			assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		}
		use(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void moreRetentionsInVainAreRepeatedLaterAndLater() {
		int releases = 0;
		for (int i = 0; i < 1000; i++) {
			this.store.takeCalls();
			use(RETAINED);
			releases += this.store.takeCalls().contains("release") ? 1 : 0;
			this.store.push().queuedBehind(this.store.lastAttempt().id());
		}
		assertThat(releases).isGreaterThan(990);
	}

	@Test
	void aRetentionThatWasOfUseIsRepeatedAtOnce() {
		use(RETAINED);
		use(RETAINED);
		this.store.push().queuedBehind(this.store.lastAttempt().id());
		this.store.takeCalls();
		use(RETAINED);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	// ---- kept for a moment although another JVM waits

	@Test
	void isKeptForAMomentForACallerThatComesBackSoon() {
		comeBack(PLAIN, Duration.ZERO);
		for (int i = 0; i < 10; i++) {
			this.clock.advance(HOLD_OFF.minusNanos(1));
			use(PLAIN);
		}
		assertThat(this.store.takeCalls()).isEmpty();
		this.clock.advance(HOLD_OFF.minusNanos(1));
		assertThat(this.store.takeCalls()).isEmpty();
		this.clock.advance(Duration.ofNanos(1));
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(this.clock.pending()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "300000, false, false", "300001, false, true", "0, true, true" })
	void isNotKeptIfTheLastCallerCameBackLateOrIsFair(long nanos, boolean fair, boolean released) {
		assertThat(comeBack(PLAIN.fair(fair), Duration.ofNanos(nanos)).contains("release")).isEqualTo(released);
	}

	/** A caller may wait for this reply. */
	@Test
	void theTimeUntilACallerComesBackBeginsWithTheReplyToItsRelease() {
		this.store.onAcquire(() -> owned(1000, 1));
		CompletableFuture<ReleaseReply> reply = this.store.releasesLater();
		acquired(PLAIN).release(false);
		this.clock.advance(HOLD_OFF);
		reply.complete(ReleaseReply.RELEASED);
		this.clock.advance(HOLD_OFF);
		use(PLAIN);
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void isNotKeptOnceTheTurnIsOver() {
		comeBack(PLAIN, Duration.ZERO);
		Hold hold = acquired(PLAIN);
		this.clock.jump(TURN);
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("release");
	}

	@Test
	void isKeptForAMomentThoughTheOtherJvmAsksAgain() {
		comeBack(PLAIN, Duration.ZERO);
		this.store.push().queuedBehind(this.store.lastAttempt().id());
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void isNotKeptAgainAfterThatWasInVainUntilACallerComesBackSoon() {
		comeBack(PLAIN, Duration.ZERO);
		for (int i = 0; i < 3; i++) {
			this.clock.advance(HOLD_OFF.multipliedBy(2));
			this.store.takeCalls();
			use(PLAIN);
			assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		}
		use(PLAIN);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	/** Let a caller come back some time after the release of a lock that is awaited. */
	private List<String> comeBack(LockRequest request, Duration after) {
		this.store.onAcquire(() -> owned(1000, 1));
		use(request);
		this.clock.advance(after);
		this.store.takeCalls();
		use(request);
		return this.store.takeCalls();
	}

	private void assertReleased(LockRequest request, String release) {
		this.store.takeCalls();
		use(request);
		assertThat(this.store.takeCalls()).containsExactly("acquire", release);
	}

	private void loseAnIdleLock() {
		idle();
		this.store.onRenew(() -> CompletableFuture.completedStage(new RenewReply.NotOwner()));
		this.clock.advance(Duration.ofMillis(700));
		this.store.onRenew(FakeStore::renewed);
	}

	/** Leave a lock idle, with a short lease, and forget the calls so far. */
	private void idle() {
		use(RETAINED);
		this.clock.advance(IDLE);
		this.store.takeCalls();
	}

	private java.util.concurrent.CompletionStage<AcquireReply> owned(long tokens, long queued) {
		AcquireReply.Owned owned = (AcquireReply.Owned) this.store.ownedReply();
		return CompletableFuture.completedStage(new AcquireReply.Owned(owned.token(), owned.token() + tokens, queued));
	}

	private Hold use(LockRequest request) {
		return use(request, 30_000);
	}

	private Hold use(LockRequest request, long leaseMillis) {
		Hold hold = acquired(request, leaseMillis);
		hold.close();
		return hold;
	}

	private Hold acquired(LockRequest request) {
		return acquired(request, 30_000);
	}

	private Hold acquired(LockRequest request, long leaseMillis) {
		return hold(submitted(waiter(request, leaseMillis, false)));
	}

}
