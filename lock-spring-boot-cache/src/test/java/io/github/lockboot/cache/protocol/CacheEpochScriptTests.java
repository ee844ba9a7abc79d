package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code epoch.lua} and {@code clear.lua}.
 */
@DependsOnRedisVersion
class CacheEpochScriptTests extends CacheScriptTests {

	CacheEpochScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theFirstEpochIsTheTime() {
		long before = this.client.timeMicros();
		assertThat(this.client.epoch(0)).isBetween(before, this.client.timeMicros());
	}

	@Test
	void anEpochStays() {
		long epoch = this.client.epoch(0);
		assertThat(this.client.epoch(0)).isEqualTo(epoch);
		assertThat(this.client.epoch(epoch)).isEqualTo(epoch);
	}

	@Test
	void aLostEpochIsReplacedByAHigherOne() {
		this.client.epoch(0);
		long seen = this.client.timeMicros() + 3_600_000_000L;
		this.redis.flushAll();
		assertThat(this.client.epoch(seen)).isEqualTo(seen + 1);
	}

	@Test
	void anEpochLowerThanTheCallersIsRaised() {
		long epoch = this.client.epoch(0);
		assertThat(this.client.epoch(epoch + 5)).isEqualTo(epoch + 5);
		assertThat(this.client.epoch(0)).isEqualTo(epoch + 5);
	}

	@Test
	void garbageIsReplaced() {
		this.redis.command("SET", "cache:product:epoch", "rubbish");
		assertThat(this.client.epoch(0)).isPositive();
	}

	@Test
	void aClearStartsAHigherEpoch() {
		long epoch = this.client.epoch(0);
		long cleared = this.client.clear(0);
		assertThat(cleared).isGreaterThan(epoch);
		assertThat(this.client.epoch(0)).isEqualTo(cleared);
	}

	@Test
	void aClearIsHigherThanAnEpochOfTheFuture() {
		long future = this.client.timeMicros() + 3_600_000_000L;
		this.client.epoch(future);
		assertThat(this.client.clear(0)).isGreaterThan(future);
	}

	@Test
	void aClearIsPublished() {
		try (RecordingInbox jvm = this.client.listenToClears()) {
			long epoch = this.client.clear(0);
			assertThat(jvm.messages(1)).containsExactly(epoch + " product");
		}
	}

	@Test
	void aRecreatedEpochIsPublished() {
		try (RecordingInbox jvm = this.client.listenToClears()) {
			long first = this.client.epoch(0);
			this.client.epoch(first);
			this.redis.flushAll();
			long second = this.client.epoch(first);
			long lifted = this.client.epoch(second + 5);
			assertThat(jvm.messages(3)).containsExactly(first + " product", second + " product", lifted + " product");
		}
	}

}
