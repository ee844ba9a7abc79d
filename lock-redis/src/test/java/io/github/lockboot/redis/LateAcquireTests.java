package io.github.lockboot.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request for a lock that got no reply reaches Redis after its attempt has held the
 * lock by another request, and after others have held it: it holds the lock again, which
 * nobody knows of. Its release must not take back the tokens of the others.
 */
@RedisTest
@Timeout(60)
class LateAcquireTests {

	private static final String OTHER = "00000000000000aa:1";

	private static final long LEASE = 30_000;

	private final ScriptClient client;

	private final WatchedLock watched;

	private final CompletableFuture<Runnable> late = new CompletableFuture<>();

	/** How many releases still get no reply. */
	private final AtomicInteger unanswered = new AtomicInteger();

	private final LockTemplate locks;

	LateAcquireTests(RedisServer redis) {
		redis.flushAll();
		this.client = new ScriptClient(redis);
		this.watched = new WatchedLock(redis);
		this.locks = ClockedLocks.intercepted(Applications.of(redis), RedisLockSettings.defaults(), this::call);
	}

	@AfterEach
	void close() {
		this.locks.close();
		this.client.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 3 })
	void aReleaseByAHolderThatDoesNotKnowOfItsLossKeepsTheTokensOfOthers(int minHoldSeconds) {
		LockHandle first = this.locks.acquire(WatchedLock.patiently().minHoldTime(Duration.ofSeconds(minHoldSeconds)));
		this.client.expire();
		long token = holdAheadOfTheTime();
		holdLate();
		first.close();
		assertThatTokensGrowAfter(token);
	}

	@Test
	void aHandOverByAHolderThatDoesNotKnowOfItsLossKeepsTheTokensOfOthers() {
		LockHandle first = acquire();
		this.client.expire();
		long token = holdAheadOfTheTime();
		holdLate();
		try (ListeningJvm jvm = this.client.listen(OTHER)) {
			this.client.queue(OTHER, LEASE);
			first.close();
			assertThat(Long.parseLong(jvm.messages(1).get(0).split(" ")[2])).isGreaterThan(token);
		}
	}

	@Test
	void aRepeatedReleaseKeepsTheTokensOfOthers() {
		LockHandle first = acquire();
		this.unanswered.set(1);
		CompletableFuture<Void> closed = CompletableFuture.runAsync(first::close);
		WatchedLock.await("release").until(() -> this.unanswered.get() == 0 && this.watched.owner().equals("null"));
		long token = holdAheadOfTheTime();
		holdLate();
		assertThatTokensGrowAfter(token);
		assertThat(closed).succeedsWithin(Duration.ofSeconds(10));
	}

	private LockHandle acquire() {
		return this.locks.acquire(WatchedLock.patiently());
	}

	/** Others hold the lock twice, the second time after a forced release. */
	private long holdAheadOfTheTime() {
		this.client.take(OTHER, LEASE);
		this.client.force();
		long token = this.client.take(OTHER, LEASE);
		this.client.release(OTHER, LEASE, token);
		return token;
	}

	private void holdLate() {
		this.late.join().run();
		WatchedLock.await("late owner").until(() -> !this.watched.owner().equals("null"));
	}

	private void assertThatTokensGrowAfter(long token) {
		this.watched.awaitNothingLeft();
		assertThat(this.watched.token()).isGreaterThanOrEqualTo(token);
	}

	/** The first request fails, and reaches Redis when the test says so. */
	private CompletionStage<Object> call(String method, Supplier<CompletionStage<Object>> call) {
		if (method.equals("acquire") && this.late.complete(call::get)) {
			return CompletableFuture.failedStage(new TimeoutException());
		}
		CompletionStage<Object> reply = call.get();
		return (method.equals("release") && this.unanswered.getAndUpdate((left) -> Math.max(0, left - 1)) > 0)
				? CompletableFuture.failedStage(new TimeoutException()) : reply;
	}

}
