package io.github.lockboot.redis;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@DependsOnRedisVersion
class ForceScriptTests extends LockScriptTests {

	private static final String OWNER = "aaaaaaaaaaaaaaaa:1";

	private static final String WAITER = "bbbbbbbbbbbbbbbb:1";

	ForceScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void releasesTheLockOfItsOwner() {
		this.client.take(OWNER, LEASE);
		assertThat(this.client.force()).containsExactly(1L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
		assertThat(this.client.renew(OWNER, LEASE)).containsExactly(0L);
	}

	@Test
	void notifiesTheOwner() {
		this.client.take(OWNER, LEASE);
		ListeningJvm owner = this.client.listen(OWNER);
		this.client.force();
		assertThat(owner.messages(1)).containsExactly("taken " + OWNER);
	}

	@Test
	void aFreeLockStaysFreeAndNothingIsCreated() {
		assertThat(this.client.force()).containsExactly(0L);
		assertThat(this.redis.command("DBSIZE")).isEqualTo(0L);
	}

	@Test
	void deletesAnotherProgramsKeyWithoutExpiry() {
		this.redis.command("SET", this.client.lock, "legacy");
		assertThat(this.client.force()).containsExactly(1L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
	}

	@Test
	void skipsAllTokensThatTheOwnerMayStillGrant() {
		long reserved = number(this.client.acquire(OWNER, LEASE, 0), 2);
		this.client.force();
		assertThat(this.client.take(WAITER, LEASE)).isGreaterThan(reserved);
	}

	@Test
	void handsTheLockToTheFirstWaiterForAClaimWindow() {
		long reserved = number(this.client.acquire(OWNER, LEASE, 0), 2);
		this.client.queue(WAITER, LEASE);
		ListeningJvm waiter = this.client.listen(WAITER);
		assertThat(this.client.force()).containsExactly(1L);
		assertThat(this.client.owner()).isEqualTo(WAITER);
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(1L, ScriptClient.CLAIM_MILLIS);
		String[] grant = waiter.messages(1).get(0).split(" ");
		assertThat(grant).startsWith("grant", WAITER);
		assertThat(Long.parseLong(grant[2])).isGreaterThan(reserved);
	}

	@Test
	void aLockWhoseWaitersAreAllDeadIsFree() {
		this.client.take(OWNER, LEASE);
		this.client.queue(WAITER, LEASE);
		assertThat(this.client.force()).containsExactly(1L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
		assertThat(this.client.exists(this.client.queue)).isFalse();
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		this.client.take(OWNER, LEASE);
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(this.client.force()).containsExactly(1L);
	}

	@Test
	void worksWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			client.take(OWNER, LEASE);
			client.queue(WAITER, LEASE);
			client.listen(WAITER);
			client.exhaustMemory();
			client.force();
			assertThat(client.owner()).isEqualTo(WAITER);
			client.force();
			assertThat(client.exists(client.lock)).isFalse();
		}
	}

	@Test
	void aLockKeyOfAnotherTypeIsAnErrorAndStays() {
		this.redis.command("RPUSH", this.client.lock, "x");
		assertThatException().isThrownBy(this.client::force).withMessageContaining("WRONGTYPE");
		assertThat(this.redis.command("TYPE", this.client.lock)).isEqualTo("list");
	}

}
