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
	void theHolderReleasesItsLease() {
		this.client.acquire("a");
		assertThat(this.client.abandon("a")).containsExactly(1L);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void theLeaseOfAnotherStays() {
		this.client.acquire("a");
		assertThat(this.client.abandon("b")).containsExactly(0L);
		assertThat(this.client.lease()).isEqualTo("a");
	}

	@Test
	void anExpiredLeaseIsNotReleased() {
		assertThat(this.client.abandon("a")).containsExactly(0L);
	}

	@Test
	void aWaiterIsNotifiedToRetry() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			this.client.abandon("a");
			assertThat(jvm.messages(1)).containsExactly("F b ");
		}
	}

	@Test
	void noLeaseIsGrantedDuringAPause() {
		this.client.acquire("a");
		assertThat(this.client.abandon("a", 60_000)).containsExactly(1L);
		assertThat(this.client.acquire("b").get(0)).isEqualTo(3L);
	}

	@Test
	void aWaiterIsNotifiedOfAPause() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			this.client.abandon("a", 60_000);
			assertThat(jvm.messages(1)).containsExactly("F b ");
		}
		assertThat(this.client.acquire("b", "", "jvm1", "").get(0)).isEqualTo(3L);
	}

}
