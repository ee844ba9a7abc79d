package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;

import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

/**
 * Base class of tests with two templates on a cluster whose masters have a replica each.
 * Each test may break it.
 */
abstract class ReplicatedClusterTests {

	static final Duration LONG = Duration.ofSeconds(40);

	final RedisCluster cluster = RedisFixture.newCluster(3, 1);

	final RedisLockTemplate locks;

	final RedisLockTemplate otherLocks;

	ReplicatedClusterTests(RedisLockSettings settings) {
		this.locks = template(settings);
		this.otherLocks = template(settings);
	}

	private RedisLockTemplate template(RedisLockSettings settings) {
		return new RedisLockTemplate(Applications.of(this.cluster), settings.withCommandTimeout(Duration.ofSeconds(2)),
				List.of());
	}

	@AfterEach
	void close() {
		this.locks.close();
		this.otherLocks.close();
		this.cluster.close();
	}

	/** A request with a long wait time for a lock of a master. */
	LockRequest on(RedisServer master) {
		return LockRequest.of(this.cluster.keyOn(master, "order:")).waitTime(LONG);
	}

}
