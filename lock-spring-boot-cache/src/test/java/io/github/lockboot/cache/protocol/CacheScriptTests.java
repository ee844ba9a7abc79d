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

	/**
	 * Return the message to a JVM whose attempt waits for that of another, when a script
	 * ends the load.
	 */
	String toldWaiter(Runnable end) {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			end.run();
			return jvm.messages(1).get(0);
		}
	}

	@AfterEach
	void close() {
		this.client.close();
	}

}
