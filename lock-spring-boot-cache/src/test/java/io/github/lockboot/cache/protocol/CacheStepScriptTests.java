package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

class CacheStepScriptTests extends CacheScriptTests {

	private final EntryKeys keys = this.client.keys;

	CacheStepScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theTimeOfTheEvictIsRememberedWithItsGrace() {
		long before = this.client.timeMicros();
		assertThat(this.client.step("tombstone", this.keys.tombstone(), 7000, 30_000)).containsExactly(1L);
		String[] parts = this.client.tombstone().split(" ");
		assertThat(Long.parseLong(parts[0])).isBetween(before, this.client.timeMicros());
		assertThat(Long.parseLong(parts[1]) - Long.parseLong(parts[0])).isEqualTo(7_000_000);
		assertThat(this.client.remainingMillis(this.keys.tombstone())).isBetween(30_001L, 37_000L);
	}

	@Test
	void aLeaseIsDeletedWithoutAMessage() {
		this.client.acquire("a");
		try (RecordingInbox changes = this.client.listenToChanges()) {
			assertThat(this.client.step("delete", this.keys.lease())).containsExactly(1L);
			assertThat(this.client.exists(this.keys.lease())).isFalse();
			this.client.evict(0);
			assertThat(changes.messages(1)).containsExactly(this.keys.data());
		}
	}

	@Test
	void anEntryIsDeletedAndThatIsPublished() {
		this.client.put("entry");
		try (RecordingInbox changes = this.client.listenToChanges()) {
			assertThat(this.client.step("delete", this.keys.data(), "cache:product:changes")).containsExactly(1L);
			assertThat(this.client.exists(this.keys.data())).isFalse();
			assertThat(changes.messages(1)).containsExactly(this.keys.data());
		}
	}

	@Test
	void allStepsWorkWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); CacheScriptClient client = new CacheScriptClient(full)) {
			client.put("entry");
			client.acquire("a");
			client.exhaustMemory();
			assertThat(client.step("tombstone", this.keys.tombstone(), 0, 30_000)).containsExactly(1L);
			assertThat(client.step("delete", this.keys.lease())).containsExactly(0L);
			assertThat(client.step("delete", this.keys.data(), "cache:product:changes")).containsExactly(1L);
		}
	}

}
