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
 * A waiter in a JVM that is frozen.
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
