package io.github.lockboot.test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.local.LocalLockTemplate;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Failed assertions report the actual state.
 */
class LockAssertionsTests {

	private final LockJournal journal = new LockJournal();

	@AutoClose
	private final LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of(this.journal));

	@Test
	void freeLockIsNotHeld() {
		fails(() -> assertThat(this.locks).lock("a").isHeld(), "Expected lock 'a' to be held but it is", "owner=null");
	}

	@Test
	void heldLockIsNotFree() {
		this.locks.acquire("a");
		fails(() -> assertThat(this.locks).lock("a").isFree(), "Expected lock 'a' to be free but it is", "owner=local");
	}

	@Test
	void holdersAreCounted() {
		this.locks.acquire("a");
		assertThat(this.locks).lock("a").hasHolders(1).hasWaiting(0);
		fails(() -> assertThat(this.locks).lock("a").hasHolders(2), "to have 2 holder(s)", "holders=1");
		fails(() -> assertThat(this.locks).lock("a").hasWaiting(1), "to have 1 waiting instance(s)", "waiting=0");
	}

	@Test
	void heldHandleIsNotLost() {
		LockHandle handle = this.locks.acquire("a");
		assertThat(handle).isHeld();
		fails(() -> assertThat(handle).isLost(), "Expected lock 'a' to be lost but it is held");
	}

	@Test
	void releasedHandleIsNeitherHeldNorLost() {
		LockHandle handle = this.locks.acquire("a");
		handle.close();
		fails(() -> assertThat(handle).isHeld(), "Expected lock 'a' to be still held but it was released");
		fails(() -> assertThat(handle).isLost(), "Expected lock 'a' to be lost but it was released in time");
	}

	@Test
	void lostHandleIsNotHeld() {
		LockHandle handle = this.locks.acquire("a");
		this.locks.forceRelease("a");
		fails(() -> assertThat(handle).isHeld(), "Expected lock 'a' to be still held but it is lost");
	}

	@Test
	void tokenOfAnEarlierHoldIsNotGreater() {
		LockHandle earlier = this.locks.acquire("a");
		earlier.close();
		LockHandle later = this.locks.acquire("a");
		assertThat(later).hasFencingTokenGreaterThan(earlier);
		fails(() -> assertThat(earlier).hasFencingTokenGreaterThan(later), "Expected a fencing token greater than");
	}

	@Test
	void aFailureShowsTheEventsOfTheJournal() {
		this.locks.acquire("a").close();
		assertThat(this.journal).hasAcquired("a").hasReleased("a").hasLostNothing();
		fails(() -> assertThat(this.journal).hasAcquired("a", "b"), "to have acquired [b] but there is",
				"[acquired 'a', released 'a']");
		fails(() -> assertThat(this.journal).hasAcquiredNothing(), "Expected exactly [] to be acquired");
		fails(() -> assertThat(this.journal).hasLost("a"), "to have lost");
		fails(() -> assertThat(this.journal).hasFailedToAcquire("a"), "to have failed to acquire");
	}

	@Test
	void journalIsBounded() {
		IntStream.range(0, 6000).forEach((i) -> this.locks.acquire("a").close());
		org.assertj.core.api.Assertions.assertThat(this.journal.events()).hasSize(10_000);
		assertThatIllegalStateException().isThrownBy(() -> assertThat(this.journal).hasLostNothing())
			.withMessageContaining("has dropped earlier ones");
		this.journal.clear();
		assertThat(this.journal).hasAcquiredNothing();
	}

	@Test
	void journalContainsLostLocks() {
		this.locks.acquire(LockRequest.of("a").leaseTime(Duration.ofDays(1)));
		OtherNode.beside(this.locks, this.journal).loseLease("a");
		assertThat(this.journal).hasLost("a");
		fails(() -> assertThat(this.journal).hasLostNothing(), "Expected no lock to be lost", "lost 'a'");
	}

	@Test
	void descriptionIsPartOfTheMessage() {
		fails(() -> assertThat(this.journal).as("the orders").hasAcquired("a"), "[the orders]");
	}

	private static void fails(ThrowingCallable assertion, String... parts) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion)
			.satisfies((error) -> org.assertj.core.api.Assertions.assertThat(error).hasMessageContainingAll(parts));
	}

}
