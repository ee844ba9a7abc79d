package io.github.lockboot.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waiters for a lock that another JVM holds: which of them a release notifies, and who
 * delays the others. Each template represents a JVM.
 */
@RedisTest
class WaiterTests extends TwoTemplates {

	private static final String FROZEN = "bbbbbbbbbbbbbbbb:";

	WaiterTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void oneReleaseNotifiesOneWaiterOfAnyNumberOfJvms() throws Exception {
		LockHandle held = this.locks.acquire(WatchedLock.patiently());
		List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
		for (int jvm = 0; jvm < 4; jvm++) {
			RedisLockTemplate template = template();
			waiters.add(later(() -> template.acquire(WatchedLock.patiently())));
			waiters.add(later(() -> template.acquire(WatchedLock.patiently())));
			this.watched.awaitWaiting(jvm + 1);
		}
		long messages = this.redis.commandsDuring(() -> {
			held.close();
			CompletableFuture.anyOf(waiters.toArray(CompletableFuture[]::new)).orTimeout(15, TimeUnit.SECONDS).join();
		}).of("publish");
		assertThat(messages).isOne();
		assertThat(waiters.stream().filter(CompletableFuture::isDone)).hasSize(1);
		assertThat(this.watched.waiting()).hasSize(3);
	}

	@Test
	void aWaiterWhoseConnectionIsGoneDelaysNoOthers() throws Exception {
		LockHandle held = this.locks.acquire(WatchedLock.patiently());
		try (ScriptClient dead = new ScriptClient(this.redis)) {
			dead.queue(FROZEN + 1, 60_000);
			dead.live(FROZEN + 1, 60_000);
		}
		CompletableFuture<LockHandle> waiter = later(() -> this.otherLocks.acquire(WatchedLock.patiently()));
		this.watched.awaitWaiting(2);
		String living = this.watched.waiting().get(1);
		held.close();
		assertThat(this.watched.owner()).isEqualTo(living);
		waiter.get(15, TimeUnit.SECONDS).close();
	}

	@Test
	void aFrozenWaiterDelaysTheNextForTheClaimWindowOnly() throws Exception {
		LockHandle held = this.locks.acquire(WatchedLock.patiently());
		try (ScriptClient frozen = new ScriptClient(this.redis)) {
			frozen.listen(FROZEN + 1);
			frozen.queue(FROZEN + 1, 60_000);
			frozen.live(FROZEN + 1, 60_000);
			CompletableFuture<LockHandle> waiter = later(() -> this.otherLocks.acquire(WatchedLock.patiently()));
			this.watched.awaitWaiting(2);
			held.close();
			assertThat(this.watched.owner()).isEqualTo(FROZEN + 1);
			waiter.get(10, TimeUnit.SECONDS).close();
		}
	}

	private <T> CompletableFuture<T> later(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work, this.threads);
	}

}
