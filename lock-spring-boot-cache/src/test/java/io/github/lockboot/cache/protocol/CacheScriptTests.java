package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.AfterEach;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

/**
 * Base class of the tests of cache scripts.
 */
@RedisTest
abstract class CacheScriptTests {

	final RedisServer redis;

	final CacheScriptClient client;

	CacheScriptTests(RedisServer redis) {
		this.redis = redis;
		this.client = new CacheScriptClient(redis);
	}

	@AfterEach
	void close() {
		this.client.close();
	}

}
