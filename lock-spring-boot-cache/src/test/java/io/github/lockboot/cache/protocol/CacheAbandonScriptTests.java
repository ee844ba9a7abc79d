package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
class CacheAbandonScriptTests extends CacheScriptTests {

	CacheAbandonScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void whoHasTheLeaseGivesItBack() {
		this.client.acquire("a");
		assertThat(this.client.abandon("a")).containsExactly(1L);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void anothersLeaseStays() {
		this.client.acquire("a");
		assertThat(this.client.abandon("b")).containsExactly(0L);
		assertThat(this.client.lease()).isEqualTo("a");
	}

	@Test
	void aLeaseThatHasEndedIsNotGivenBack() {
		assertThat(this.client.abandon("a")).containsExactly(0L);
	}

	@Test
	void whoWaitsIsToldToTry() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			this.client.abandon("a");
			assertThat(jvm.messages(1)).containsExactly("F b ");
		}
	}

	@Test
	void nobodyGetsALeaseDuringAPause() {
		this.client.acquire("a");
		assertThat(this.client.abandon("a", 60_000)).containsExactly(1L);
		assertThat(this.client.acquire("b").get(0)).isEqualTo(3L);
	}

	@Test
	void thereIsNoPauseWhereSomebodyWaits() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		this.client.abandon("a", 60_000);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		this.client.acquire("a");
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(this.client.abandon("a")).containsExactly(1L);
	}

}
