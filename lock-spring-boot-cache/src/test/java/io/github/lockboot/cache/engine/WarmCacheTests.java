package io.github.lockboot.cache.engine;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

/**
 * Base class of tests whose cache is connected before they start.
 */
@RedisTest
@Timeout(60)
abstract class WarmCacheTests {

	final RedisServer redis;

	@AutoClose
	final CacheFixture fixture;

	final CacheTemplate cache;

	WarmCacheTests(RedisServer redis) {
		this.redis = redis;
		this.fixture = new CacheFixture(redis);
		this.cache = this.fixture.warmTemplate();
	}

	@BeforeEach
	void warm() {
		CacheFixture.warm(this.cache);
	}

}
