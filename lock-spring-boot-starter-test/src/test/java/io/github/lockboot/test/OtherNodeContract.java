package io.github.lockboot.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.engine.LockTemplate;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The contract of another node, for any store of locks.
 */
abstract class OtherNodeContract {

	private static final String NAME = "order:1";

	private static final LockRequest ONE_TRY = LockRequest.of(NAME).waitTime(Duration.ZERO);

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final LockJournal journal = new LockJournal();

	private LockTemplate locks;

	private OtherNode otherNode;

	abstract LockTemplate template(LockJournal journal);

	@BeforeEach
	void open() {
		this.locks = template(this.journal);
		this.otherNode = OtherNode.beside(this.locks, this.journal);
	}

	@AfterEach
	void close() {
		this.otherNode.close();
		this.locks.close();
	}

	@Test
	void applicationFailsToAcquireALockOfTheOtherNode() {
		this.otherNode.hold(NAME);
		assertThat(this.locks.tryExecute(ONE_TRY, () -> {
		})).isFalse();
		assertThat(this.journal).hasFailedToAcquire(NAME).hasAcquiredNothing();
	}

	@Test
	void applicationAcquiresTheLockThatTheOtherNodeReleases() {
		this.otherNode.hold(NAME);
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(LockRequest.of(NAME).waitTime(LIMIT))
			.toCompletableFuture();
		Awaitility.await().untilAsserted(() -> assertThat(this.locks).lock(NAME).hasWaiting(1));
		this.otherNode.release(NAME);
		assertThat(waiting).succeedsWithin(LIMIT).satisfies((handle) -> assertThat(handle).isHeld());
	}

	@Test
	void otherNodeCannotHoldALockOfTheApplication() {
		try (LockHandle handle = this.locks.acquire(NAME)) {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.otherNode.hold(NAME))
				.withMessageContainingAll("'order:1'", "owner=");
			assertThat(handle).isHeld();
		}
	}

	@Test
	void lockOfAThreadIsNotReEnteredByTheOtherNode() {
		this.locks.execute(NAME, () -> {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.otherNode.hold(NAME));
		});
	}

	@Test
	void permitsAreHeldOneByOne() {
		LockRequest permit = LockRequest.of("pool").permits(2);
		this.otherNode.hold(permit);
		try (LockHandle second = this.locks.semaphore("pool", 2).acquire()) {
			assertThat(second).isHeld();
		}
		this.otherNode.hold(permit);
		assertThat(this.locks.semaphore("pool", 2).waitTime(Duration.ZERO).tryAcquire()).isNull();
		this.otherNode.release("pool");
		assertThat(this.locks).lock("pool").isFree();
	}

	@Test
	void holderIsNotifiedOfATakeoverAtOnce() {
		LockHandle handle = this.locks.acquire(NAME);
		LockHandle other = this.otherNode.takeOver(NAME);
		assertThat(handle).isLost();
		assertThat(other).isHeld().hasFencingTokenGreaterThan(handle);
		assertThat(this.journal).hasLost(NAME);
	}

	@Test
	void lostLeaseLeavesTheLockFree() {
		LockHandle handle = this.locks.acquire(NAME);
		this.otherNode.loseLease(NAME);
		assertThat(handle).isLost();
		assertThat(this.locks).lock(NAME).isFree();
	}

	@Test
	void lockIsTakenOverInTheMiddleOfASection() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(LockRequest.of(NAME).onLost(OnLost.THROW), () -> {
				this.otherNode.takeOver(NAME);
			}));
		assertThat(this.locks).lock(NAME).isHeld().hasHolders(1);
	}

	@Test
	void takeoverIsNotAffectedByTheInterruptThatItCauses() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(LockRequest.of(NAME).onLost(OnLost.INTERRUPT), () -> {
				this.otherNode.takeOver(NAME);
			}));
	}

	@Test
	void takeoverOfAFreeLockNotifiesNobody() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.otherNode.loseLease(NAME))
			.withMessageContaining("Lock 'order:1' is not held");
	}

	@Test
	void lockThatTheOtherNodeDoesNotHoldIsNotReleased() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.otherNode.release(NAME))
			.withMessageContaining("'order:1'");
	}

	@Test
	void locksOfTheOtherNodeAreReleasedAtTheEnd() {
		this.otherNode.hold(NAME);
		this.otherNode.hold("order:2");
		this.otherNode.close();
		assertThat(this.locks).lock(NAME).isFree();
		assertThat(this.locks).lock("order:2").isFree();
	}

	@Test
	void journalDoesNotContainTheOtherNode() {
		this.otherNode.hold(NAME);
		this.otherNode.release(NAME);
		assertThat(this.journal).hasAcquiredNothing();
		assertThat(this.journal.events()).isEmpty();
	}

}
