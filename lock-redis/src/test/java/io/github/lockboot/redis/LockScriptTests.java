package io.github.lockboot.redis;

import org.junit.jupiter.api.AutoClose;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

/**
 * Base class of the tests of lock scripts.
 */
@RedisTest
@DependsOnRedisVersion
abstract class LockScriptTests {

	static final long LEASE = 30_000;

	final RedisServer redis;

	@AutoClose
	final ScriptClient client;

	LockScriptTests(RedisServer redis) {
		this.redis = redis;
		this.client = new ScriptClient(redis);
	}

}
