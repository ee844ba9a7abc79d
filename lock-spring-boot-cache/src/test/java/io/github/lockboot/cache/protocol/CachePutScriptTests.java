package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
class CachePutScriptTests extends CacheScriptTests {

	CachePutScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theEntryIsStoredAndExpires() {
		assertThat(this.client.put("value")).containsExactly(1L);
		assertThat(this.client.entry()).isEqualTo("value");
		assertThat(this.client.remainingMillis(this.client.keys.data())).isBetween(CacheScriptClient.LIFE - 10_000,
				CacheScriptClient.LIFE);
	}

	@Test
	void theLeaseIsRevoked() {
		this.client.acquire("a");
		this.client.put("new");
		assertThat(this.client.store("a", "old")).containsExactly(0L);
		assertThat(this.client.entry()).isEqualTo("new");
	}

	@Test
	void waitersReceiveTheEntry() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			this.client.put("new");
			assertThat(jvm.messages(1)).containsExactly("V b new");
		}
	}

	@Test
	void localCopiesAreInvalidated() {
		try (RecordingInbox jvm = this.client.listenToChanges()) {
			this.client.put("new");
			assertThat(jvm.messages(1)).containsExactly(this.client.keys.data());
		}
	}

	@Test
	void withoutMemoryItIsAnEvict() {
		try (RedisServer full = RedisFixture.newServer(); CacheScriptClient client = new CacheScriptClient(full)) {
			client.put("old");
			client.acquire("a");
			client.exhaustMemory();
			assertThat(client.put("new")).containsExactly(0L);
			assertThat(client.exists(client.keys.data())).isFalse();
			assertThat(client.exists(client.keys.lease())).isFalse();
			assertThat(client.exists(client.keys.tombstone())).isTrue();
		}
	}

}
