package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The keys of a lock in Redis, for tests that check the effects of the engine there.
 */
record WatchedLock(RedisServer redis) {

	/** Timeouts are long enough for a busy machine. */
	static final RedisLockSettings SETTINGS = RedisLockSettings.defaults().withCommandTimeout(Duration.ofSeconds(10));

	private static final String NAME = "orders:42";

	private static final Duration LIMIT = Duration.ofSeconds(15);

	private static final String[] KEYS = new LockKeys("lock:").of(NAME);

	/** Has a lease that is longer than any test. */
	static LockRequest once() {
		return LockRequest.of(NAME).waitTime(Duration.ZERO).leaseTime(Duration.ofMinutes(2));
	}

	static LockRequest patiently() {
		return once().waitTime(Duration.ofSeconds(60));
	}

	String key() {
		return KEYS[0];
	}

	/** The owner, {@code "null"} if there is none. */
	String owner() {
		return String.valueOf(this.redis.command("GET", KEYS[0]));
	}

	/** How much of the lease is left. */
	long leftMillis() {
		return (Long) Objects.requireNonNull(this.redis.command("PTTL", KEYS[0]));
	}

	/** The highest token that may have been granted. */
	long token() {
		return Long.parseLong(String.valueOf(this.redis.command("GET", KEYS[1])));
	}

	/** The ids of the waiters, the next one first. */
	List<String> waiting() {
		return this.redis.list("LRANGE", KEYS[2], "0", "-1");
	}

	/** How many of the waiters poll. */
	long polling() {
		return this.redis.list("HVALS", KEYS[4]).stream().filter((entry) -> entry.endsWith(" polls")).count();
	}

	void awaitWaiting(int count) {
		await("waiting: " + count).untilAsserted(() -> assertThat(waiting()).hasSize(count));
	}

	/** Waits until there is neither an owner nor a waiter. */
	void awaitNothingLeft() {
		await("nothing left")
			.until(() -> Long.valueOf(0).equals(this.redis.command("EXISTS", KEYS[0], KEYS[2], KEYS[4])));
	}

	static ConditionFactory await(String what) {
		return Awaitility.await(what).atMost(LIMIT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

}
