package io.github.lockboot.redis;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

class ReleaseScriptTests extends LockScriptTests {

	ReleaseScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void resetsTheTokenToTheHighestOneUsedAndRemembersIt() {
		long token = this.client.take("a", LEASE);
		this.client.release("a", LEASE, token + 7);
		assertThat(this.client.lastToken()).isEqualTo("" + (token + 7));
		long whole = LEASE + ScriptClient.MEMORY_MILLIS;
		assertThat(this.client.remainingMillis(this.client.fence)).isBetween(whole - 5_000, whole);
	}

	@Test
	void tokensOfACallerThatHasUsedNoneStayNearTheTime() {
		long token = this.client.take("a", LEASE);
		assertThat(this.client.release("a", LEASE, 0)).containsExactly(1L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
		assertThat(Long.parseLong(this.client.lastToken())).isBetween(token, this.client.timeMicros() + 1_000_000);
	}

	@Test
	void aForeignOwnerKeepsTheLock() {
		long token = this.client.take("a", LEASE);
		assertThat(this.client.release("b", LEASE, token)).containsExactly(0L);
		assertThat(this.client.owner()).isEqualTo("a");
		assertThat(this.client.lastToken()).isEqualTo("" + ScriptClient.reserved(token, LEASE));
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(LEASE - 5_000, LEASE);
	}

	@Test
	void aTokenKeyOfAnotherTypePreventsNoRelease() {
		long token = this.client.take("a", LEASE);
		this.redis.command("DEL", this.client.fence);
		this.redis.command("RPUSH", this.client.fence, "x");
		assertThat(this.client.release("a", LEASE, token)).containsExactly(1L);
		assertThat(this.client.lastToken()).isEqualTo("" + token);
	}

}
