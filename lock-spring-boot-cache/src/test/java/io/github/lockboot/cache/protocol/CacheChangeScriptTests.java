package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code evict.lua} and {@code put.lua}, and {@code step.lua}, which replaces both while
 * a slot is migrated.
 */
@DependsOnRedisVersion
class CacheChangeScriptTests extends CacheScriptTests {

	CacheChangeScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void anEvictDeletesTheEntryAndRevokesTheLease() {
		assertThat(this.client.evict(0)).containsExactly(0L);
		this.client.put("value");
		this.client.acquire("a", "value", "", "");
		assertThat(this.client.lease()).isEqualTo("a");
		assertThat(this.client.evict(0)).containsExactly(1L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void theTimeOfTheEvictIsRemembered() {
		long before = this.client.timeMicros();
		this.client.evict(0);
		assertThat(Long.parseLong(this.client.tombstone())).isBetween(before, this.client.timeMicros());
		assertThat(this.client.remainingMillis(this.client.keys.tombstone())).isBetween(1L, CacheScriptClient.MEMORY);
	}

	@Test
	void aGraceIsRememberedForAsLongAsTransactionsMayHaveBegunInIt() {
		this.client.evict(20_000);
		assertThat(this.client.tombstone()).matches("\\d+ \\d+");
		assertThat(this.client.remainingMillis(this.client.keys.tombstone())).isBetween(20_001L,
				20_000 + CacheScriptClient.MEMORY);
	}

	@Test
	void aGraceAppliesUntilItsEndDespiteOtherChanges() {
		this.client.evict(20_000);
		String ends = this.client.tombstone().split(" ")[1];
		this.client.evict(1000);
		this.client.put("value");
		this.client.evict(0);
		assertThat(this.client.tombstone()).matches("\\d+ " + ends);
		assertThat(this.client.remainingMillis(this.client.keys.tombstone())).isBetween(20_001L,
				20_000 + CacheScriptClient.MEMORY);
	}

	@Test
	void aTombstoneThatIsGarbageIsReplaced() {
		this.redis.command("RPUSH", this.client.keys.tombstone(), "garbage");
		this.client.evict(0);
		assertThat(this.client.tombstone()).matches("\\d+");
	}

	@Test
	void anEntryThatIsPutExpires() {
		assertThat(this.client.put("value")).containsExactly(1L);
		assertThat(this.client.entry()).isEqualTo("value");
		assertThat(this.client.remainingMillis(this.client.keys.data())).isBetween(CacheScriptClient.LIFE - 10_000,
				CacheScriptClient.LIFE);
	}

	@Test
	void aPutRevokesTheLease() {
		this.client.acquire("a");
		this.client.put("new");
		assertThat(this.client.store("a", "old")).containsExactly(0L);
		assertThat(this.client.entry()).isEqualTo("new");
	}

	@Test
	void withoutMemoryAPutIsAnEvict() {
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

	@Test
	void aWaiterRetriesAfterAnEvictAndReceivesWhatIsPut() {
		assertThat(toldWaiter(() -> this.client.evict(0))).isEqualTo("E b ");
		assertThat(toldWaiter(() -> this.client.put("new"))).isEqualTo("V b new");
	}

	@Test
	void localCopiesAreInvalidated() {
		String data = this.client.keys.data();
		try (RecordingInbox jvm = this.client.listenToChanges()) {
			this.client.evict(0);
			this.client.put("new");
			assertThat(this.client.step("delete", data, CacheScriptClient.CHANGES)).containsExactly(1L);
			assertThat(this.client.exists(data)).isFalse();
			this.client.acquire("a");
			// without a message
			assertThat(this.client.step("delete", this.client.keys.lease())).containsExactly(1L);
			assertThat(this.client.exists(this.client.keys.lease())).isFalse();
			this.client.evict(0);
			assertThat(jvm.messages(4)).containsExactly(data, data, data, data);
		}
	}

	@Test
	void anEvictAndItsStepsWorkWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); CacheScriptClient client = new CacheScriptClient(full)) {
			client.put("value");
			client.exhaustMemory();
			assertThat(client.evict(0)).containsExactly(1L);
			assertThat(client.exists(client.keys.tombstone())).isTrue();
			assertThat(client.step("tombstone", client.keys.tombstone(), 0, 30_000)).containsExactly(1L);
			assertThat(client.step("delete", client.keys.lease())).containsExactly(0L);
			assertThat(client.step("delete", client.keys.data(), CacheScriptClient.CHANGES)).containsExactly(0L);
		}
	}

	@Test
	void aStepRemembersTheTimeOfTheEvictWithItsGrace() {
		long before = this.client.timeMicros();
		assertThat(this.client.step("tombstone", this.client.keys.tombstone(), 7000, 30_000)).containsExactly(1L);
		String[] parts = this.client.tombstone().split(" ");
		assertThat(Long.parseLong(parts[0])).isBetween(before, this.client.timeMicros());
		assertThat(Long.parseLong(parts[1]) - Long.parseLong(parts[0])).isEqualTo(7_000_000);
		assertThat(this.client.remainingMillis(this.client.keys.tombstone())).isBetween(30_001L, 37_000L);
	}

}
