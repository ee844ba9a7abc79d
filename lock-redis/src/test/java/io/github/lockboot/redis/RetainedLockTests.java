package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.connection.Applications;

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

	@Test
	void anotherJvmThatQueuesIsHandedTheLock() {
		long token = use(this.locks);
		awaitIdle();
		try (LockHandle hold = this.otherLocks.acquire(RETAINED)) {
			assertThat(hold.fencingToken()).isGreaterThan(token);
			assertThat(this.watched.owner()).isNotEqualTo("null");
			assertThat(this.locks.tryAcquire(RETAINED.waitTime(Duration.ZERO))).isNull();
		}
		assertThat(use(this.locks)).isGreaterThan(token);
	}

	@Test
	void anotherJvmIsHandedALockInSteadyUse() {
		AtomicBoolean over = new AtomicBoolean();
		Thread user = new Thread(() -> {
			while (!over.get()) {
				use(this.locks);
			}
		});
		user.start();
		try {
			for (int i = 0; i < 20; i++) {
				this.otherLocks.acquire(RETAINED.waitTime(Duration.ofSeconds(10))).close();
			}
		}
		finally {
			over.set(true);
		}
	}

	/** As docs/locking-by-hand.md says. */
	@Test
	void anotherJvmThatDoesNotWaitFindsALockBusyThatIsIdle() {
		use(this.locks);
		assertThat(this.otherLocks.tryAcquire(RETAINED.waitTime(Duration.ZERO))).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "allchannels -subscribe", "resetchannels" })
	void anotherJvmThatPollsIsHandedTheLockWithinASecond(String rights) {
		this.redis.command(Stream
			.concat(Stream.of("ACL", "SETUSER", "shop", "on", ">pw", "~lock:*", "+@all"), Stream.of(rights.split(" ")))
			.toArray(String[]::new));
		try (RedisLockTemplate polling = new RedisLockTemplate(Applications.of(this.redis, "shop", "pw"),
				WatchedLock.SETTINGS, List.of())) {
			polling.acquire("another").close();
			use(this.locks);
			long start = System.nanoTime();
			use(polling);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1).plus(SLACK));
		}
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
