package io.github.lockboot.cache.protocol;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code acquire.lua}, {@code store.lua}, {@code abandon.lua} and {@code renew.lua}.
 */
@DependsOnRedisVersion
class CacheLoadScriptTests extends CacheScriptTests {

	private static final String ENTRY = "0123456789abcdef0123456789abcdef payload";

	CacheLoadScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theFirstCallerAcquiresTheLease() {
		assertThat(this.client.acquire("a")).containsExactly(2L, 0L);
		assertThat(this.client.lease()).isEqualTo("a");
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isBetween(CacheScriptClient.LEASE - 10_000,
				CacheScriptClient.LEASE);
	}

	@Test
	void theSecondCallerReceivesTheRemainingLease() {
		this.client.acquire("a");
		List<Object> reply = this.client.acquire("b");
		assertThat(reply.get(0)).isEqualTo(3L);
		assertThat((Long) reply.get(1)).isBetween(CacheScriptClient.LEASE - 10_000, CacheScriptClient.LEASE);
		assertThat(this.client.lease()).isEqualTo("a");
	}

	@Test
	void aCallerThatDoesNotWaitIsNotRecorded() {
		this.client.acquire("a");
		this.client.acquire("b");
		assertThat(this.client.exists(this.client.keys.waiters())).isFalse();
	}

	@Test
	void aWaiterIsRecordedForLongerThanTheLease() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		assertThat(this.redis.command("SMEMBERS", this.client.keys.waiters())).isEqualTo(List.of("jvm1:b"));
		assertThat(this.client.remainingMillis(this.client.keys.waiters())).isGreaterThan(CacheScriptClient.LEASE);
	}

	@Test
	void aTransactionIsToldOfAClockThatWasSetBack() {
		long now = this.client.timeMicros();
		assertThat(this.client.acquire("a", "", "", String.valueOf(now), now + 10_000_000)).containsExactly(4L, 0L);
		assertThat(this.client.acquire("a", "", "", String.valueOf(now), now)).containsExactly(2L, 0L);
	}

	@Test
	void anEntryIsReturnedWhileAnotherCallerLoads() {
		this.client.acquire("a");
		this.redis.command("SET", this.client.keys.data(), ENTRY);
		assertThat(this.client.acquire("b")).containsExactly(1L, ENTRY);
	}

	@Test
	void aKeyOfAnotherTypeIsTreatedAsMissing() {
		this.redis.command("RPUSH", this.client.keys.data(), "x");
		assertThat(this.client.acquire("a")).containsExactly(2L, 0L);
	}

	@Test
	void aViewFromBeforeAnEvictIsOutdatedAndAcquiresNoLease() {
		long seen = this.client.timeMicros();
		this.client.evict(0);
		assertThat(this.client.acquire("a", "", "", "" + seen)).containsExactly(4L);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void aViewFromBeforeAPutIsOutdatedWhenTheEntryIsMissing() {
		long seen = this.client.timeMicros();
		this.client.put("x");
		this.redis.command("DEL", this.client.keys.data());
		assertThat(this.client.acquire("a", "", "", "" + seen)).containsExactly(4L);
	}

	@Test
	void aViewFromAfterAnEvictAcquiresTheLease() {
		this.client.evict(0);
		assertThat(this.client.acquire("a", "", "", "" + (this.client.timeMicros() + 1))).containsExactly(2L, 0L);
	}

	@Test
	void aViewFromAGraceThatHasEndedIsOutdated() {
		long now = this.client.timeMicros();
		this.redis.command("SET", this.client.keys.tombstone(), (now - 3000) + " " + (now - 1000), "PX", "5000");
		assertThat(this.client.acquire("a", "", "", "" + (now - 2000))).containsExactly(4L);
		assertThat(this.client.acquire("b", "", "", "" + now)).containsExactly(2L, 0L);
	}

	@Test
	void aForeignEvictIsRespected() {
		long seen = this.client.timeMicros();
		this.redis.command("SET", this.client.keys.tombstone(), "" + this.client.timeMicros(), "PX", "5000");
		assertThat(this.client.acquire("a", "", "", "" + seen)).containsExactly(4L);
	}

	@Test
	void duringAGraceTheLeaseContainsTheRemainingGrace() {
		this.client.evict(20_000);
		List<Object> reply = this.client.acquire("a");
		assertThat(reply.get(0)).isEqualTo(2L);
		assertThat((Long) reply.get(1)).isBetween(1L, 20_000L);
	}

	@Test
	void aLeaseWithoutExpiryReceivesOne() {
		this.redis.command("SET", this.client.keys.lease(), "legacy");
		assertThat(this.client.acquire("a")).containsExactly(3L, CacheScriptClient.LEASE);
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isPositive();
	}

	@Test
	void onlyTheRejectedEntryIsTreatedAsMissing() {
		this.redis.command("SET", this.client.keys.data(), ENTRY);
		assertThat(this.client.acquire("a", "x".repeat(32), "", "")).containsExactly(1L, ENTRY);
		assertThat(this.client.acquire("a", ENTRY.substring(0, 32), "", "")).containsExactly(2L, 0L);
		this.client.abandon("a");
		this.redis.command("SET", this.client.keys.data(), "abc");
		assertThat(this.client.acquire("b", "abc", "", "")).containsExactly(2L, 0L);
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
	void nothingIsPublishedIfNobodyWaits() {
		this.client.acquire("a");
		CommandCounts counts = this.redis.commandsDuring(() -> this.client.store("a", "value"));
		assertThat(counts.of("publish")).isZero();
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		this.client.acquire("a");
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(this.client.store("a", "value")).containsExactly(1L);
	}

	@Test
	void onlyTheHolderStoresExtendsOrReleases() {
		this.client.acquire("a");
		assertThat(this.client.store("b", "value")).containsExactly(0L);
		assertThat(this.client.renew("b", 90_000)).containsExactly(0L);
		assertThat(this.client.abandon("b")).containsExactly(0L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.lease()).isEqualTo("a");
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isLessThanOrEqualTo(CacheScriptClient.LEASE);
		assertThat(this.client.renew("a", 90_000)).containsExactly(1L);
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isGreaterThan(60_000);
		assertThat(this.client.abandon("a")).containsExactly(1L);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void nobodyHoldsAnExpiredLease() {
		assertThat(this.client.store("a", "value")).containsExactly(0L);
		assertThat(this.client.renew("a", 90_000)).containsExactly(0L);
		assertThat(this.client.abandon("a")).containsExactly(0L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void aWaiterReceivesAShortEntryInTheMessage() {
		assertThat(toldWaiter(() -> this.client.store("a", "v a l u e"))).isEqualTo("V b v a l u e");
		assertThat(this.client.exists(this.client.keys.waiters())).isFalse();
	}

	@Test
	void aWaiterForALongEntryIsNotifiedToReadIt() {
		assertThat(toldWaiter(() -> this.client.store("a", "x".repeat(CacheScriptClient.LONGEST + 1))))
			.isEqualTo("R b ");
	}

	@Test
	void anEntryWhoseGraceHasEndedIsRejectedAndTheWaiterTriesAgain() {
		assertThat(toldWaiter(
				() -> assertThat(this.client.store("a", "value", "" + this.client.timeMicros())).containsExactly(0L)))
			.isEqualTo("F b ");
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void aWaiterIsNotifiedToRetryAndNoLeaseIsGrantedDuringAPause() {
		assertThat(toldWaiter(() -> this.client.abandon("a"))).isEqualTo("F b ");
		assertThat(this.client.acquire("b").get(0)).isEqualTo(2L);
		this.client.abandon("b");
		assertThat(toldWaiter(() -> this.client.abandon("a", 60_000))).isEqualTo("F b ");
		assertThat(this.client.acquire("b").get(0)).isEqualTo(3L);
	}

}
