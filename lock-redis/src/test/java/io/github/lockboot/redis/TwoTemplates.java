package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

/**
 * Two instances of an application with locks in the same Redis, and threads to call them.
 */
@Timeout(60)
abstract class TwoTemplates {

	final ExecutorService threads = Executors.newCachedThreadPool();

	final AtomicInteger renewals = new AtomicInteger();

	final RedisServer redis;

	final WatchedLock watched;

	final RedisLockTemplate locks;

	final RedisLockTemplate otherLocks;

	private final List<RedisLockTemplate> templates = new ArrayList<>();

	/**
	 * Connect both instances.
	 * @param redis the server, which is closed afterwards unless it is the shared one
	 */
	TwoTemplates(RedisServer redis) {
		this.redis = redis;
		this.watched = new WatchedLock(redis);
		this.locks = template();
		this.otherLocks = template();
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.templates.forEach(RedisLockTemplate::close);
		if (this.redis != RedisFixture.shared()) {
			this.redis.close();
		}
	}

	/** Waits until its channel is open, so that no late subscription is counted. */
	final RedisLockTemplate template() {
		Set<String> before = RedisConnections.channels(this.redis);
		RedisLockTemplate template = new RedisLockTemplate(Applications.of(this.redis), WatchedLock.SETTINGS,
				List.of(new LockListener() {

					@Override
					public void onRenewed(LockRequest request, LockHandle handle, Duration left) {
						TwoTemplates.this.renewals.incrementAndGet();
					}

				}));
		this.templates.add(template);
		WatchedLock.await("channel").until(() -> !before.containsAll(RedisConnections.channels(this.redis)));
		return template;
	}

}
