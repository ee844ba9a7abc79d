package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
class CacheStoreScriptTests extends CacheScriptTests {

	CacheStoreScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theHolderStoresAndReleasesItsLease() {
		this.client.acquire("a");
		assertThat(this.client.store("a", "value")).containsExactly(1L);
		assertThat(this.client.entry()).isEqualTo("value");
		assertThat(this.client.remainingMillis(this.client.keys.data())).isBetween(CacheScriptClient.LIFE - 10_000,
				CacheScriptClient.LIFE);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void anotherCallerIsRejectedAndTheLeaseStays() {
		this.client.acquire("a");
		assertThat(this.client.store("b", "value")).containsExactly(0L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.lease()).isEqualTo("a");
	}

	@Test
	void aLoadWhoseLeaseHasExpiredIsRejected() {
		this.client.acquire("a");
		this.redis.command("DEL", this.client.keys.lease());
		assertThat(this.client.store("a", "value")).containsExactly(0L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
	}

	@Test
	void theOldLoadIsRejectedAfterAnEvictAndANewLoad() {
		this.client.acquire("old");
		this.client.evict(0);
		this.client.acquire("new");
		assertThat(this.client.store("new", "new value")).containsExactly(1L);
		assertThat(this.client.store("old", "old value")).containsExactly(0L);
		assertThat(this.client.entry()).isEqualTo("new value");
	}

	@Test
	void anEntryExpiresAtTheEndOfItsGraceHoweverLateItIsStored() {
		this.client.evict(20_000);
		String graceEnd = String.valueOf(this.client.acquire("a").get(2));
		assertThat(Long.parseLong(graceEnd)).isBetween(this.client.timeMicros(), this.client.timeMicros() + 20_000_000);
		assertThat(this.client.store("a", "value", graceEnd)).containsExactly(1L);
		assertThat(this.client.remainingMillis(this.client.keys.data())).isBetween(1L, 20_000L);
	}

	@Test
	void anEntryWhoseGraceHasEndedIsRejectedAndTheWaitersTryAgain() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			assertThat(this.client.store("a", "value", "" + this.client.timeMicros())).containsExactly(0L);
			assertThat(jvm.messages(1)).containsExactly("F b ");
		}
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void nothingIsPublishedIfNobodyWaits() {
		this.client.acquire("a");
		CommandCounts counts = this.redis.commandsDuring(() -> this.client.store("a", "value"));
		assertThat(counts.of("publish")).isZero();
	}

	@Test
	void waitersReceiveAShortEntryInTheMessage() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			this.client.store("a", "v a l u e");
			assertThat(jvm.messages(1)).containsExactly("V b v a l u e");
		}
		assertThat(this.client.exists(this.client.keys.waiters())).isFalse();
	}

	@Test
	void waitersOfALongEntryAreNotifiedToReadIt() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			this.client.store("a", "x".repeat(CacheScriptClient.LONGEST + 1));
			assertThat(jvm.messages(1)).containsExactly("R b ");
		}
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		this.client.acquire("a");
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(this.client.store("a", "value")).containsExactly(1L);
	}

}
