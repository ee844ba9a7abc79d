package io.github.lockboot.redis;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@DependsOnRedisVersion
class ReleaseScriptTests extends LockScriptTests {

	private static final String WAITER = "00000000000000bb:1";

	ReleaseScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theOwnerReleasesTheLock() {
		long token = this.client.take("a", LEASE);
		assertThat(this.client.release("a", LEASE, token)).containsExactly(1L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
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
	void theNextTokenIsNearTheTimeOfRedisAgain() {
		this.client.release("a", LEASE, this.client.take("a", LEASE));
		assertThat(this.client.take("b", LEASE)).isLessThanOrEqualTo(this.client.timeMicros());
	}

	@Test
	void tokensOfACallerThatHasUsedNoneStayNearTheTime() {
		long token = this.client.take("a", LEASE);
		assertThat(this.client.release("a", LEASE, 0)).containsExactly(1L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
		assertThat(Long.parseLong(this.client.lastToken())).isBetween(token, this.client.timeMicros() + 1_000_000);
	}

	@Test
	void aHandOverByACallerThatHasUsedNoTokenStaysNearTheTime() {
		try (ListeningJvm jvm = this.client.listen(WAITER)) {
			long token = this.client.take("a", LEASE);
			this.client.queue(WAITER, LEASE);
			assertThat(this.client.release("a", LEASE, 0)).containsExactly(2L);
			long granted = Long.parseLong(jvm.messages(1).get(0).split(" ")[2]);
			assertThat(granted).isBetween(token + 1, this.client.timeMicros() + 1_000_001);
		}
	}

	@Test
	void noDigitOfATokenIsLost() {
		this.client.take("a", LEASE);
		this.client.release("a", LEASE, 8_765_432_109_876_543L);
		assertThat(this.client.lastToken()).isEqualTo("8765432109876543");
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
	void anotherProgramKeepsItsKeyWithoutExpiry() {
		this.redis.command("SET", this.client.lock, "legacy");
		assertThat(this.client.release("a", LEASE, 1)).containsExactly(0L);
		assertThat(this.client.owner()).isEqualTo("legacy");
	}

	@Test
	void aMissingLockIsNotOwnedAndNothingIsCreated() {
		assertThat(this.client.release("a", LEASE, 1)).containsExactly(0L);
		assertThat(this.redis.command("DBSIZE")).isEqualTo(0L);
	}

	@Test
	void anExpiredLockIsNotOwnedAndItsTokensStaySkipped() {
		long token = this.client.take("a", 20);
		Awaitility.await().until(() -> !this.client.exists(this.client.lock));
		assertThat(this.client.release("a", 20, token)).containsExactly(0L);
		assertThat(this.client.lastToken()).isEqualTo("" + (token + 20_000));
	}

	@Test
	void aSecondReleaseIsNotOwned() {
		long token = this.client.take("a", LEASE);
		this.client.release("a", LEASE, token);
		assertThat(this.client.release("a", LEASE, token)).containsExactly(0L);
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		long token = this.client.take("a", LEASE);
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(this.client.release("a", LEASE, token)).containsExactly(1L);
	}

	@Test
	void worksWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			long token = client.take("a", LEASE);
			client.exhaustMemory();
			assertThat(client.release("a", LEASE, token)).containsExactly(1L);
			assertThat(client.exists(client.lock)).isFalse();
			assertThat(client.lastToken()).isEqualTo("" + token);
		}
	}

	@Test
	void aLockKeyOfAnotherTypeIsAnErrorAndStays() {
		this.redis.command("RPUSH", this.client.lock, "x");
		assertThatException().isThrownBy(() -> this.client.release("a", LEASE, 1)).withMessageContaining("WRONGTYPE");
		assertThat(this.redis.command("TYPE", this.client.lock)).isEqualTo("list");
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
