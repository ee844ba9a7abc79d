package io.github.lockboot.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
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
	private static final RedisLockSettings SETTINGS = RedisLockSettings.defaults()
		.withLockDefaults(LockDefaults.defaults().withApplication("shop"));

	private static final Duration SLACK = Duration.ofSeconds(2);

	private static final LockRequest REQUEST = LockRequest.of("orders:42").leaseTime(LEASE);

	private final RedisServer redis;

	private final RedisLockTemplate locks;

	HolderKilledTests(RedisServer redis) {
		this.redis = redis;
		this.locks = new RedisLockTemplate(Applications.of(redis), SETTINGS, List.of());
	}

	@AfterEach
	void close() {
		this.locks.close();
	}

	@Test
	void anotherCallerAcquiresTheLockAtMostALeaseAfterTheHoldersDeath() {
		try (JvmProcess holder = holder()) {
			long token = tokenOf(holder);
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
			tokenOf(holder);
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
			long token = tokenOf(holder);
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

	private JvmProcess holder() {
		return JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), Holder.class, this.redis.host(),
				String.valueOf(this.redis.port()));
	}

	private static long tokenOf(JvmProcess holder) {
		return Long.parseLong(holder.awaitLine("^token ").split(" ")[1]);
	}

	/** Acquires the lock and holds it until the test closes it. */
	static final class Holder {

		private Holder() {
		}

		public static void main(String[] args) throws IOException {
			try (RedisLockTemplate locks = new RedisLockTemplate(Applications.at(args[0], Integer.parseInt(args[1])),
					SETTINGS, List.of())) {
				LockHandle lock = locks.acquire(REQUEST);
				System.out.println("token " + lock.fencingToken());
				lock.onLost(() -> System.out.println("lost"));
				BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
				in.readLine();
				System.out.println("held " + lock.isHeld());
				in.readLine();
				lock.close();
				System.out.println("closed");
				in.readLine();
			}
		}

	}

}
