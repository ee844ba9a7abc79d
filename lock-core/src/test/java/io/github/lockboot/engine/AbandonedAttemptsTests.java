package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.engine.support.AbandonedAttempts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Background releases of attempts without a caller.
 */
@ExtendWith(OutputCaptureExtension.class)
class AbandonedAttemptsTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final SteppedClock clock = new SteppedClock();

	private final FakeStore store = new FakeStore();

	private final AbandonedAttempts attempts = new AbandonedAttempts(this.store, this.clock, () -> {
	});

	private int abandoned;

	@AfterEach
	void noThreadBlocksTheOthers() {
		assertThat(CompletableFuture.supplyAsync(this.attempts::isEmpty)).succeedsWithin(Duration.ofSeconds(30));
	}

	/** A request without a reply may come after the release of another. */
	@ParameterizedTest
	@CsvSource({ "false, NOT_OWNER", "false, RELEASED", "true, NOT_OWNER" })
	void anAttemptWithoutAReplyIsReleasedTwiceASecondApart(boolean answered, ReleaseReply reply) {
		this.store.onRelease(() -> CompletableFuture.completedStage(reply));
		abandon(answered);
		assertThat(releases()).isOne();
		assertThat(this.attempts.isEmpty()).isEqualTo(answered);
		this.clock.advance(SECOND);
		assertThat(releases()).isEqualTo(answered ? 0 : 1);
		assertThat(this.attempts.isEmpty()).isTrue();
	}

	@Test
	void anAttemptThatSucceedsLongAfterItsLeaseIsReleasedASecondLater() {
		this.store.onRelease(FakeStore::down);
		abandon(false);
		this.clock.advance(LEASE.multipliedBy(3));
		Queue<ReleaseReply> replies = new ArrayDeque<>(List.of(ReleaseReply.NOT_OWNER, ReleaseReply.RELEASED));
		this.store.onRelease(() -> CompletableFuture.completedStage(replies.remove()));
		this.clock.advance(SECOND.multipliedBy(4));
		assertThat(replies).isEmpty();
		assertThat(this.attempts.isEmpty()).isTrue();
	}

	@Test
	void noAttemptWhoseLockLastsAsLongAsASessionIsLeftToItsLease() {
		leasesAreThoseOfASession();
		this.store.onRelease(FakeStore::down);
		abandon(100_007, true);
		this.store.onRelease(FakeStore::released);
		releases();
		this.clock.advance(SECOND);
		assertThat(releases()).isEqualTo(100_007);
	}

	private void leasesAreThoseOfASession() {
		StoreTraits traits = this.store.traits();
		this.store.setTraits(new StoreTraits("a test", traits.tokens(), traits.waiting(), StoreTraits.Leases.SESSION,
				traits.kinds()));
	}

	@Test
	void anAttemptWhoseLockLastsAsLongAsASessionIsReleasedLongAfterItsLease() {
		leasesAreThoseOfASession();
		this.store.onRelease(FakeStore::down);
		abandon(true);
		this.clock.advance(LEASE.multipliedBy(3));
		assertThat(this.attempts.isEmpty()).isFalse();
		this.store.onRelease(FakeStore::released);
		this.clock.advance(SECOND.multipliedBy(4));
		assertThat(this.attempts.isEmpty()).isTrue();
	}

	@Test
	void whileTheStoreFailsOneReleaseIsTriedPeriodically() {
		this.store.onRelease(FakeStore::down);
		abandon(1000, true);
		this.clock.advance(SECOND.multipliedBy(4)); // until the pauses have grown
		releases();
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(releases()).isBetween(9, 21);
	}

	@Test
	void allAreReleasedSoonAfterTheStoreIsBack() {
		this.store.onRelease(FakeStore::down);
		abandon(10_000, true);
		this.clock.advance(Duration.ofSeconds(20));
		releases();
		this.store.onRelease(FakeStore::released);
		this.clock.advance(SECOND.multipliedBy(2));
		assertThat(releases()).isEqualTo(10_000);
		assertThat(this.attempts.isEmpty()).isTrue();
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void atMostSixtyFourReleasesArePending() {
		List<CompletableFuture<ReleaseReply>> replies = releasesLater();
		abandon(1000, true);
		assertThat(releases()).isEqualTo(64);
		replies.get(0).complete(ReleaseReply.RELEASED);
		assertThat(releases()).isOne();
	}

	@Test
	void afterAFailureTheNumberOfPendingReleasesGrowsFromOne() {
		this.store.onRelease(FakeStore::down);
		abandon(1000, true);
		List<CompletableFuture<ReleaseReply>> replies = releasesLater();
		releases();
		this.clock.advance(SECOND);
		assertThat(releases()).isOne();
		replies.get(0).complete(ReleaseReply.RELEASED);
		assertThat(releases()).isEqualTo(2);
	}

	@Test
	void aReleaseThatAlwaysFailsDoesNotBlockOthers() {
		this.store
			.onRelease(() -> this.store.lastAttempt().id().equals("jvm:0") ? FakeStore.down() : FakeStore.released());
		abandon(100, true);
		this.clock.advance(SECOND);
		assertThat(releases()).isGreaterThanOrEqualTo(100);
		// and the longest pause is over
		this.clock.advance(LEASE.plus(SECOND.multipliedBy(2)));
		assertThat(this.attempts.isEmpty()).isTrue();
	}

	@Test
	void tooManyAttemptsExpireWithTheirLeasesAndAreLoggedOnce(CapturedOutput output) {
		this.store.onRelease(FakeStore::down);
		abandon(100_007, true);
		this.store.onRelease(FakeStore::released);
		releases();
		this.clock.advance(SECOND);
		assertThat(releases()).isEqualTo(100_000);
		assertThat(output.getOut().lines().filter((line) -> line.contains("7 of these locks remain"))).hasSize(1);
	}

	private void abandon(int count, boolean answered) {
		for (int i = 0; i < count; i++) {
			abandon(answered);
		}
	}

	private void abandon(boolean answered) {
		LockAttempt attempt = new LockAttempt("orders:" + this.abandoned, "jvm:" + this.abandoned++, LEASE.toMillis(),
				1);
		this.attempts.release(attempt, answered);
	}

	private int releases() {
		return this.store.takeCalls().size();
	}

	private List<CompletableFuture<ReleaseReply>> releasesLater() {
		List<CompletableFuture<ReleaseReply>> replies = new ArrayList<>();
		this.store.onRelease(() -> {
			replies.add(new CompletableFuture<>());
			return replies.get(replies.size() - 1);
		});
		return replies;
	}

}
