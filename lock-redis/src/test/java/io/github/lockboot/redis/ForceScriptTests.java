package io.github.lockboot.redis;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;

class ForceScriptTests extends LockScriptTests {

	private static final String OWNER = "aaaaaaaaaaaaaaaa:1";

	private static final String WAITER = "bbbbbbbbbbbbbbbb:1";

	ForceScriptTests(RedisServer redis) {
		super(redis);
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
	void handsTheLockToTheFirstWaiterForAClaimWindow() {
		long reserved = number(this.client.acquire(OWNER, LEASE, 0), 2);
		this.client.queue(WAITER, LEASE);
		ListeningJvm<String> waiter = this.client.listen(WAITER);
		assertThat(this.client.force()).containsExactly(1L);
		assertThat(this.client.owner()).isEqualTo(WAITER);
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(1L, ScriptClient.CLAIM_MILLIS);
		String[] grant = waiter.messages(1).get(0).split(" ");
		assertThat(grant).startsWith("grant", WAITER);
		assertThat(Long.parseLong(grant[2])).isGreaterThan(reserved);
	}

	@Test
	void worksWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			client.take(OWNER, LEASE);
			client.queue(WAITER, LEASE);
			client.listen(WAITER);
			full.exhaustMemory();
			client.force();
			assertThat(client.owner()).isEqualTo(WAITER);
			client.force();
			assertThat(client.exists(client.lock)).isFalse();
		}
	}

}
