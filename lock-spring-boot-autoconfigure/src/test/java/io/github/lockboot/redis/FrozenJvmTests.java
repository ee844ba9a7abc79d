package io.github.lockboot.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A waiter in a JVM that is frozen or dies.
 */
@RedisTest
@Timeout(90)
@Tag("long")
class FrozenJvmTests {

	private final RedisServer redis;

	private final WatchedLock watched;

	private final RedisLockTemplate locks;

	FrozenJvmTests(RedisServer redis) {
		this.redis = redis;
		this.watched = new WatchedLock(redis);
		this.locks = new RedisLockTemplate(Applications.of(redis), WatchedLock.SETTINGS, List.of());
	}

	@AfterEach
	void close() {
		this.locks.close();
	}

	@Test
	void aGrantThatIsReadTooLateStartsNoSection() {
		LockHandle first = this.locks.acquire(WatchedLock.patiently());
		try (JvmProcess waiter = waiter()) {
			this.watched.awaitWaiting(1);
			String owner = this.watched.waiting().get(0);
			waiter.freeze();
			first.close();
			assertThat(this.watched.owner()).isEqualTo(owner);
			LockHandle second = this.locks.acquire(WatchedLock.patiently());
			waiter.thaw();
			this.watched.awaitWaiting(1);
			second.close();
			// the token of the late grant is lower
			assertThat(tokenOf(waiter)).isGreaterThan(second.fencingToken());
		}
	}

	@Test
	void aWaiterThatIsKilledDelaysNoOthers() {
		LockHandle first = this.locks.acquire(WatchedLock.patiently());
		try (JvmProcess dead = waiter()) {
			this.watched.awaitWaiting(1);
			try (JvmProcess waiter = waiter()) {
				this.watched.awaitWaiting(2);
				String gone = this.watched.waiting().get(0);
				String living = this.watched.waiting().get(1);
				dead.kill();
				awaitNoSubscriber(ScriptClient.channel(gone));
				first.close();
				assertThat(this.watched.owner()).isEqualTo(living);
				assertThat(tokenOf(waiter)).isGreaterThan(first.fencingToken());
			}
		}
	}

	@Test
	void aJvmThatWasGrantedTheLockAndDiesDelaysTheNextForTheClaimWindowOnly() {
		LockHandle first = this.locks.acquire(WatchedLock.patiently());
		try (JvmProcess dead = waiter()) {
			this.watched.awaitWaiting(1);
			try (JvmProcess waiter = waiter()) {
				this.watched.awaitWaiting(2);
				dead.freeze();
				first.close();
				dead.kill();
				assertThat(tokenOf(waiter)).isGreaterThan(first.fencingToken());
			}
		}
	}

	/** The system closes the connections of a process after its end. */
	private void awaitNoSubscriber(String channel) {
		WatchedLock.await("nobody listens")
			.until(() -> List.of(channel, 0L).equals(this.redis.command("PUBSUB", "NUMSUB", channel)));
	}

	private JvmProcess waiter() {
		return JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), Waiter.class, this.redis.host(),
				String.valueOf(this.redis.port()));
	}

	private static long tokenOf(JvmProcess waiter) {
		return Long.parseLong(waiter.awaitLine("^entered ").split(" ")[1]);
	}

	/** Waits for the lock, prints its token and holds it. */
	static final class Waiter {

		private Waiter() {
		}

		public static void main(String[] args) throws IOException {
			try (RedisLockTemplate locks = new RedisLockTemplate(Applications.at(args[0], Integer.parseInt(args[1])),
					WatchedLock.SETTINGS, List.of()); LockHandle lock = locks.acquire(WatchedLock.patiently())) {
				System.out.println("entered " + lock.fencingToken());
				new BufferedReader(new InputStreamReader(System.in)).readLine();
			}
		}

	}

}
