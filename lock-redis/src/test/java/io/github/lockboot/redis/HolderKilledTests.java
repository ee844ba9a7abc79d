package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock whose holder is a JVM that dies or is frozen.
 */
@RedisTest
class HolderKilledTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	/** Allowance for a busy machine. */
	private static final Duration SLACK = Duration.ofSeconds(2);

	private static final LockRequest REQUEST = LockRequest.of("orders:42").leaseTime(LEASE);

	private final RedisServer redis;

	private final WatchedLock watched;

	@AutoClose
	private final RedisLockTemplate locks;

	HolderKilledTests(RedisServer redis) {
		this.redis = redis;
		this.watched = new WatchedLock(redis);
		this.locks = new RedisLockTemplate(Applications.of(redis), LockingJvm.SETTINGS, List.of());
	}

	@Test
	void anotherCallerAcquiresTheLockAtMostALeaseAfterTheHoldersDeath() {
		try (JvmProcess holder = holder()) {
			long token = LockingJvm.tokenOf(holder, "hold");
			assertThat(this.locks.tryAcquire(REQUEST.waitTime(LEASE.plusMillis(500)))).isNull();
			holder.kill();
			long death = System.nanoTime();
			try (LockHandle lock = this.locks.acquire(REQUEST.waitTime(Duration.ofSeconds(10)))) {
				assertThat(Duration.ofNanos(System.nanoTime() - death)).isLessThan(LEASE.plus(SLACK));
				assertThat(lock.fencingToken()).isGreaterThan(token);
			}
		}
	}

	@Test
	void othersSeeThatAKilledHolderNoLongerRenewsItsLease() {
		try (JvmProcess holder = holder()) {
			LockingJvm.tokenOf(holder, "hold");
			Awaitility.await().until(() -> renewedAgo() != null);
			holder.kill();
			Awaitility.await().until(this::isMissed);
		}
	}

	private boolean isMissed() {
		Duration renewedAgo = renewedAgo();
		return renewedAgo != null && renewedAgo.compareTo(LEASE.dividedBy(2)) > 0;
	}

	private @Nullable Duration renewedAgo() {
		return this.locks.inspect(REQUEST.name())
			.heldBy()
			.stream()
			.map(LockState.Holder::renewedAgo)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	@Test
	void aHolderThatWasSuspendedForLongerThanItsLeaseIsNotifiedOfTheLoss() {
		try (JvmProcess holder = holder()) {
			long token = LockingJvm.tokenOf(holder, "hold");
			holder.freeze();
			long frozen = System.nanoTime();
			try (LockHandle lock = this.locks.acquire(REQUEST.waitTime(Duration.ofSeconds(10)))) {
				assertThat(Duration.ofNanos(System.nanoTime() - frozen)).isLessThan(LEASE.plus(SLACK));
				assertThat(lock.fencingToken()).isGreaterThan(token);
				holder.thaw();
				holder.awaitLine("^lost$");
				holder.send("held?");
				assertThat(holder.awaitLine("^held ")).isEqualTo("held false");
				holder.send("close");
				holder.awaitLine("^closed$");
				assertThat(lock.isHeld()).isTrue();
				assertThat(this.redis.command("EXISTS", "lock:{orders:42}")).isEqualTo(1L);
			}
		}
	}

	/** A grant that comes late has a lower token. */
	@Test
	@Tag("long")
	void aGrantThatIsReadTooLateStartsNoSection() {
		LockHandle first = this.locks.acquire(WatchedLock.patiently());
		try (JvmProcess waiter = LockingJvm.start(this.redis, WatchedLock.patiently())) {
			waiter.send("hold");
			this.watched.awaitWaiting(1);
			String owner = this.watched.waiting().get(0);
			waiter.freeze();
			first.close();
			assertThat(this.watched.owner()).isEqualTo(owner);
			LockHandle second = this.locks.acquire(WatchedLock.patiently());
			waiter.thaw();
			this.watched.awaitWaiting(1);
			second.close();
			assertThat(LockingJvm.awaitToken(waiter)).isGreaterThan(second.fencingToken());
		}
	}

	private JvmProcess holder() {
		return LockingJvm.start(this.redis, REQUEST);
	}

}
