package io.github.lockboot.redis;

import java.time.Duration;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisFixture;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that a JVM keeps after its release. Each template represents a JVM. A server of
 * its own, so that no other clients are counted or cut off.
 */
@Timeout(90)
class RetainedLockTests extends TwoTemplates {

	private static final Duration CLAIM_WINDOW = Duration.ofSeconds(2);

	/** What a loaded machine may add. */
	private static final Duration SLACK = Duration.ofSeconds(2);

	private static final LockRequest RETAINED = WatchedLock.patiently().retainTime(Duration.ofMinutes(1));

	RetainedLockTests() {
		super(RedisFixture.newServer());
	}

	@Test
	void takingARetainedLockAgainSendsNothing() {
		long token = use(this.locks);
		assertThat(this.redis.commandsDuring(() -> {
			for (int i = 0; i < 100; i++) {
				use(this.locks);
			}
		}).calls()).isEmpty();
		assertThat(use(this.locks)).isGreaterThan(token);
	}

	@Test
	void theLeaseOfAnIdleLockIsTheClaimWindow() {
		use(this.locks);
		String owner = this.watched.owner();
		awaitIdle();
		assertThat(this.watched.owner()).isEqualTo(owner);
		try (LockHandle hold = this.locks.acquire(RETAINED)) {
			assertThat(this.watched.owner()).isEqualTo(owner);
			WatchedLock.await("its own lease").until(() -> remaining() > 100_000);
			// once the JVM has the reply that the watch may have overtaken
			WatchedLock.await("that of the handle")
				.until(() -> hold.remainingLease().compareTo(Duration.ofMinutes(1)) > 0);
		}
	}

	/** As docs/locking-by-hand.md says. */
	@Test
	void anotherJvmThatDoesNotWaitFindsALockBusyThatIsIdle() {
		use(this.locks);
		assertThat(this.otherLocks.tryAcquire(RETAINED.waitTime(Duration.ZERO))).isNull();
	}

	@Test
	void aJvmThatDiesDelaysOthersForTheClaimWindowOnly() {
		try (JvmProcess user = LockingJvm.start(this.redis, RETAINED)) {
			LockingJvm.tokenOf(user, "use");
			awaitIdle();
			user.kill();
			long death = System.nanoTime();
			this.otherLocks.acquire(RETAINED).close();
			assertThat(Duration.ofNanos(System.nanoTime() - death)).isLessThan(CLAIM_WINDOW.plus(SLACK));
		}
	}

	@Test
	void aJvmThatWasFrozenDoesNotTakeAgainWhatOthersHold() {
		try (JvmProcess user = LockingJvm.start(this.redis, RETAINED)) {
			LockingJvm.tokenOf(user, "use");
			awaitIdle();
			user.freeze();
			long frozen = System.nanoTime();
			LockHandle hold = this.otherLocks.acquire(RETAINED);
			assertThat(Duration.ofNanos(System.nanoTime() - frozen)).isLessThan(CLAIM_WINDOW.plus(SLACK));
			user.send("use");
			user.thaw();
			this.watched.awaitWaiting(1);
			assertThat(hold.isHeld()).isTrue();
			hold.close();
			assertThat(LockingJvm.awaitToken(user)).isGreaterThan(hold.fencingToken());
		}
	}

	private long use(RedisLockTemplate template) {
		try (LockHandle hold = template.acquire(RETAINED)) {
			return hold.fencingToken();
		}
	}

	private void awaitIdle() {
		WatchedLock.await("idle").until(() -> remaining() > 0 && remaining() <= CLAIM_WINDOW.toMillis());
	}

	private long remaining() {
		return (Long) Objects.requireNonNull(this.redis.command("PTTL", this.watched.key()));
	}

}
