package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.NoRerun;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Our locks together with another program that uses {@code SET key value NX PX ms} and
 * compare-and-delete on the same key.
 */
@DependsOnRedisVersion
@RedisTest
class ForeignClientTests extends TwoTemplates {

	private static final String COMPARE_AND_DELETE = "if redis.call('GET', KEYS[1]) == ARGV[1] then "
			+ "return redis.call('DEL', KEYS[1]) end return 0";

	ForeignClientTests(RedisServer redis) {
		super(redis);
	}

	@Test
	@NoRerun
	void sectionsOfBothProgramsNeverOverlap() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		Runnable section = () -> {
			assertThat(inside.incrementAndGet()).isOne();
			Thread.yield();
			inside.decrementAndGet();
		};
		List<Future<?>> work = new ArrayList<>();
		for (String owner : List.of("legacy-1", "legacy-2")) {
			work.add(this.threads.submit(() -> repeat(() -> foreignSection(owner, section))));
		}
		for (RedisLockTemplate template : List.of(this.locks, this.locks, this.otherLocks, this.otherLocks)) {
			work.add(this.threads.submit(() -> repeat(() -> template.execute(WatchedLock.patiently(), section::run))));
		}
		for (Future<?> each : work) {
			each.get(50, TimeUnit.SECONDS);
		}
		this.watched.awaitNothingLeft();
	}

	@Test
	void aWaiterAcquiresTheLockWhenAKeyWithoutExpiryIsDeleted() throws Exception {
		this.redis.command("SET", this.watched.key(), "legacy");
		CompletableFuture<LockHandle> waiter = this.locks.acquireAsync(WatchedLock.patiently()).toCompletableFuture();
		this.watched.awaitWaiting(1);
		WatchedLock.await("some polls").pollDelay(Duration.ofMillis(500)).until(() -> true);
		assertThat(this.watched.owner()).isEqualTo("legacy");
		this.redis.command("DEL", this.watched.key());
		waiter.get(15, TimeUnit.SECONDS).close();
	}

	// ---- JVMs that know of them

	@Test
	void anotherProgramAcquiresTheLockBetweenJvmsThatRequestItAllTheTime() {
		AtomicBoolean stopped = new AtomicBoolean();
		try (RedisLockTemplate first = knowing(); RedisLockTemplate second = knowing()) {
			for (RedisLockTemplate template : List.of(first, first, first, second, second, second)) {
				this.threads.submit(() -> {
					while (!stopped.get()) {
						template.execute(WatchedLock.patiently(), ForeignClientTests::workForAMillisecond);
					}
				});
			}
			WatchedLock.await("SET NX PX").atMost(Duration.ofSeconds(30)).until(() -> take("cron"));
			stopped.set(true);
			giveBack("cron");
		}
	}

	@Test
	void anotherProgramFindsNoQueueOfJvmsThatKnowOfIt() {
		try (RedisLockTemplate first = knowing(); RedisLockTemplate second = knowing()) {
			LockHandle lock = first.acquire(WatchedLock.patiently());
			CompletableFuture<LockHandle> waiting = second.acquireAsync(WatchedLock.patiently()).toCompletableFuture();
			WatchedLock.await("no queue")
				.during(Duration.ofMillis(100))
				.until(() -> Long.valueOf(0).equals(this.redis.command("EXISTS", this.watched.key() + ":q")));
			lock.close();
			waiting.join().close();
		}
	}

	private RedisLockTemplate knowing() {
		return new RedisLockTemplate(Applications.of(this.redis), WatchedLock.SETTINGS.withForeignClients(true),
				List.of());
	}

	private static void workForAMillisecond() {
		long start = System.nanoTime();
		while (System.nanoTime() - start < 1_000_000) {
			Thread.onSpinWait();
		}
	}

	private void foreignSection(String owner, Runnable section) {
		WatchedLock.await("SET NX PX").atMost(Duration.ofSeconds(40)).until(() -> take(owner));
		section.run();
		giveBack(owner);
	}

	private boolean take(String owner) {
		return "OK".equals(this.redis.command("SET", this.watched.key(), owner, "NX", "PX", "60000"));
	}

	private void giveBack(String owner) {
		this.redis.command("EVAL", COMPARE_AND_DELETE, "1", this.watched.key(), owner);
	}

	private static void repeat(Runnable work) {
		for (int i = 0; i < 15; i++) {
			work.run();
		}
	}

}
