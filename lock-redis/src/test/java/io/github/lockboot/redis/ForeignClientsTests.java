package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

/**
 * Other programs that poll for a lock with {@code SET NX PX}, while JVMs request it all
 * the time.
 */
@RedisTest
class ForeignClientsTests {

	private static final int THREADS = 3;

	private static final LockRequest REQUEST = LockRequest.of("shared").waitTime(Duration.ofSeconds(30));

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicBoolean stopped = new AtomicBoolean();

	private RedisServer redis;

	private RedisLockTemplate first;

	private RedisLockTemplate second;

	@BeforeEach
	void connect(RedisServer redis) {
		this.redis = redis;
		this.first = template();
		this.second = template();
	}

	@AfterEach
	void stop() {
		this.stopped.set(true);
		this.threads.shutdownNow();
		this.first.close();
		this.second.close();
	}

	@Test
	void acquireTheLockInBetween() {
		for (int i = 0; i < THREADS; i++) {
			this.threads.submit(() -> takeAgainAndAgain(this.first));
			this.threads.submit(() -> takeAgainAndAgain(this.second));
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(2))
			.until(() -> "OK".equals(this.redis.command("SET", "lock:{shared}", "cron", "NX", "PX", "200")));
	}

	@Test
	void findNoQueue() {
		LockHandle lock = this.first.acquire(REQUEST);
		CompletableFuture<LockHandle> waiting = this.second.acquireAsync(REQUEST).toCompletableFuture();
		Awaitility.await()
			.during(Duration.ofMillis(100))
			.until(() -> Long.valueOf(0).equals(this.redis.command("EXISTS", "lock:{shared}:q")));
		lock.close();
		waiting.join().close();
	}

	private RedisLockTemplate template() {
		return new RedisLockTemplate(RedisConnections.factory(this.redis),
				RedisLockSettings.defaults().withForeignClients(true), List.of());
	}

	private static void workForAMillisecond() {
		long start = System.nanoTime();
		while (System.nanoTime() - start < 1_000_000) {
			Thread.onSpinWait();
		}
	}

	private void takeAgainAndAgain(RedisLockTemplate locks) {
		while (!this.stopped.get()) {
			locks.execute(REQUEST, ForeignClientsTests::workForAMillisecond);
		}
	}

}
