package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRelease;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases that do not wait for the reply of Redis, between callers and Redis a network
 * that a test holds back. A caller that waited would wait for longer than its test.
 */
@Timeout(60)
class SentReleaseTests {

	private static final RedisLockSettings SETTINGS = RedisLockSettings.defaults()
		.withCommandTimeout(Duration.ofMinutes(5));

	private final RedisServer redis = RedisFixture.newServer();

	private final RedisProxy network = new RedisProxy(this.redis);

	private final WatchedLock watched = new WatchedLock(this.redis);

	private final RedisLockTemplate locks = new RedisLockTemplate(application(), SETTINGS, List.of());

	@AfterEach
	void close() {
		this.locks.close();
		this.network.close();
		this.redis.close();
	}

	@Test
	void aSectionAwaitsOneReplyOfItsTwoCommands() {
		assertThat(this.redis.commandsDuring(() -> {
			this.locks.execute(WatchedLock.once(), this.network::holdAnswers);
			this.watched.awaitNothingLeft();
			this.network.releaseAnswers();
		}).calls()).containsEntry("evalsha", 2L).containsEntry("del", 1L);
	}

	@Test
	void theNextRequestOfTheJvmFollowsTheReleaseBeforeItsReply() {
		this.locks.execute(WatchedLock.once(), this.network::holdAnswers);
		CompletableFuture<LockHandle> next = later(this.locks);
		WatchedLock.await("next owner").until(() -> this.watched.owner().endsWith(":2"));
		this.network.releaseAnswers();
		assertThat(next).succeedsWithin(Duration.ofSeconds(30));
	}

	@Test
	void theNextTryFindsTheLockFree() {
		for (int i = 0; i < 1000; i++) {
			assertThat(this.locks.tryExecute(WatchedLock.once(), () -> {
			})).isTrue();
		}
	}

	@Test
	void aReleaseReachesRedisThoughTheTemplateIsClosedAtOnce() {
		for (int i = 0; i < 20; i++) {
			RedisLockTemplate another = new RedisLockTemplate(application(), SETTINGS, List.of());
			another.execute(WatchedLock.patiently(), () -> "done");
			another.close();
			this.watched.awaitNothingLeft();
		}
	}

	/** As on two connections, or after a redirection. */
	@Test
	void aRequestThatOvertakesTheReleaseIsGrantedTheLockByIt() throws InterruptedException {
		BlockingQueue<Runnable> releases = new LinkedBlockingQueue<>();
		try (LockTemplate locks = ClockedLocks.intercepted(application(), SETTINGS, (method, call) -> {
			if (!method.equals("release")) {
				return call.get();
			}
			CompletableFuture<Object> reply = new CompletableFuture<>();
			releases.add(() -> call.get().thenAccept(reply::complete));
			return reply;
		})) {
			LockHandle first = locks.acquire(WatchedLock.once().release(LockRelease.SENT));
			first.close();
			CompletableFuture<LockHandle> next = later(locks);
			this.watched.awaitWaiting(1);
			releases.take().run();
			assertThat(next).succeedsWithin(Duration.ofSeconds(30));
			assertThat(next.join().fencingToken()).isGreaterThan(first.fencingToken());
		}
	}

	private static CompletableFuture<LockHandle> later(LockTemplate locks) {
		return locks.acquireAsync(WatchedLock.patiently()).toCompletableFuture().orTimeout(30, TimeUnit.SECONDS);
	}

	private LettuceConnectionFactory application() {
		String[] address = this.network.address().split(":");
		return Applications.at(address[0], Integer.parseInt(address[1]));
	}

}
