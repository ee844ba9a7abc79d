package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holders and waiters after Redis has closed their connections or flushed their scripts.
 */
class CutConnectionTests extends TwoTemplates {

	CutConnectionTests() {
		super(RedisFixture.newServer());
	}

	@Test
	void waitersRequestAgainAfterTheirSubscriptionIsRestored() {
		this.locks.acquire(WatchedLock.patiently());
		queued(this.otherLocks);
		// otherwise a waiter retries after 1.7 s at the earliest; at least one of five
		// runs is not delayed by the machine
		Stream<Duration> pauses = Stream.generate(this::pauseAfterCut).limit(5);
		assertThat(pauses.anyMatch((pause) -> pause.compareTo(Duration.ofMillis(1_500)) < 0)).isTrue();
	}

	@Test
	void callsThatTryOnceWaitForTheNextConnection() {
		assertCallsThatTryOnceWaitForTheNextConnection(this.locks, WatchedLock.once(), this.redis);
	}

	/** Not all of them, because a loaded machine takes longer to connect. */
	static void assertCallsThatTryOnceWaitForTheNextConnection(RedisLockTemplate locks, LockRequest once,
			RedisServer redis) {
		int acquired = 0;
		for (int i = 0; i < 100 && acquired < 5; i++) {
			locks.acquire(once.waitTime(Duration.ofSeconds(60))).close();
			redis.command("CLIENT", "KILL", "TYPE", "normal");
			try (LockHandle lock = locks.tryAcquire(once)) {
				assertThat(lock).isNotNull();
				acquired++;
			}
			catch (LockUnavailableException ex) {
				// the call was under way, or the connection not open in time
			}
		}
		assertThat(acquired).isEqualTo(5);
	}

	/**
	 * Removes the permission for channels for the whole time, instead of only during a
	 * reconnection.
	 */
	@Test
	void fairCallersThatMissAGrantKeepTheirOrder() throws Exception {
		LockHandle held = this.locks.acquire(WatchedLock.patiently());
		Queue<Integer> served = new ConcurrentLinkedQueue<>();
		List<CompletableFuture<Void>> callers = new ArrayList<>();
		for (int i = 0; i < 12; i++) {
			int number = i;
			callers.add(this.otherLocks.acquireAsync(WatchedLock.patiently().fair(true)).thenAccept((lock) -> {
				served.add(number);
				lock.close();
			}).toCompletableFuture());
			this.watched.awaitWaiting(i + 1);
		}
		this.redis.command("ACL", "SETUSER", "default", "resetchannels");
		WatchedLock.await("polling").until(() -> this.watched.polling() == 12);
		held.close();
		CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
		assertThat(served).containsExactlyElementsOf(IntStream.range(0, 12).boxed().toList());
	}

	/** How long after the cut of its subscription a waiter retries. */
	private Duration pauseAfterCut() {
		awaitAsking();
		long start = System.nanoTime();
		this.redis.command("CLIENT", "KILL", "TYPE", "pubsub");
		awaitAsking();
		return Duration.ofNanos(System.nanoTime() - start);
	}

	private void awaitAsking() {
		long before = this.redis.commandStats().of("hset");
		WatchedLock.await("another request").until(() -> this.redis.commandStats().of("hset") > before);
	}

	private CompletableFuture<LockHandle> queued(RedisLockTemplate template) {
		LockRequest request = WatchedLock.patiently();
		CompletableFuture<LockHandle> waiter = template.acquireAsync(request).toCompletableFuture();
		this.watched.awaitWaiting(1);
		return waiter;
	}

}
