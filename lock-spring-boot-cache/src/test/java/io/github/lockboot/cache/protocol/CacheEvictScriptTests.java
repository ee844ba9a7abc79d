package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
class CacheEvictScriptTests extends CacheScriptTests {

	CacheEvictScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theEntryIsDeleted() {
		this.client.put("value");
		assertThat(this.client.evict(0)).containsExactly(1L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
	}

	@Test
	void aMissingEntryIsReported() {
		assertThat(this.client.evict(0)).containsExactly(0L);
	}

	@Test
	void theLeaseIsRevoked() {
		this.client.acquire("a");
		this.client.evict(0);
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
	void waitersAreNotifiedToRetry() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			this.client.evict(0);
			assertThat(jvm.messages(1)).containsExactly("E b ");
		}
	}

	@Test
	void localCopiesAreInvalidated() {
		try (RecordingInbox jvm = this.client.listenToChanges()) {
			this.client.evict(0);
			assertThat(jvm.messages(1)).containsExactly(this.client.keys.data());
		}
	}

	@Test
	void worksWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); CacheScriptClient client = new CacheScriptClient(full)) {
			client.put("value");
			client.exhaustMemory();
			assertThat(client.evict(0)).containsExactly(1L);
			assertThat(client.exists(client.keys.tombstone())).isTrue();
		}
	}

}
