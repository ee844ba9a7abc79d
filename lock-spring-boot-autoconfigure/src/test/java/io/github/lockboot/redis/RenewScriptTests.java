package io.github.lockboot.redis;

import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@DependsOnRedisVersion
class RenewScriptTests extends LockScriptTests {

	RenewScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theOwnerRenewsItsLease() {
		this.client.take("a", 5_000);
		assertThat(this.client.renew("a", LEASE)).first().isEqualTo(1L);
		assertThat(this.client.owner()).isEqualTo("a");
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(LEASE - 5_000, LEASE);
		long whole = LEASE + ScriptClient.MEMORY_MILLIS;
		assertThat(this.client.remainingMillis(this.client.fence)).isBetween(whole - 5_000, whole);
	}

	@Test
	void theOwnerMayShortenItsLease() {
		this.client.take("a", LEASE);
		this.client.renew("a", 5_000);
		assertThat(this.client.remainingMillis(this.client.lock)).isLessThanOrEqualTo(5_000);
	}

	@Test
	void reservesTokensASecondAheadOfTheTime() {
		this.client.take("a", 5_000);
		long before = this.client.timeMicros() + ScriptClient.AHEAD_MILLIS * 1000;
		List<Object> reply = this.client.renew("a", LEASE);
		assertThat(number(reply, 1)).isBetween(before, this.client.timeMicros() + ScriptClient.AHEAD_MILLIS * 1000);
		assertThat(this.client.lastToken()).isEqualTo("" + number(reply, 1));
	}

	@Test
	void neverTakesBackReservedTokens() {
		this.client.take("a", LEASE);
		this.redis.command("SET", this.client.fence, "8765432109876543");
		assertThat(this.client.renew("a", LEASE)).containsExactly(1L, 8_765_432_109_876_543L, 0L);
		assertThat(this.client.lastToken()).isEqualTo("8765432109876543");
	}

	@Test
	void anExpiredTokenIsReplacedByTheTimeOfRedis() {
		long token = this.client.take("a", LEASE);
		this.redis.command("DEL", this.client.fence);
		assertThat(number(this.client.renew("a", LEASE), 1)).isGreaterThan(ScriptClient.reserved(token, LEASE));
	}

	@Test
	void anOwnerThatIssuesNoMoreTokensReturnsTheUnusedOnes() {
		long token = this.client.take("a", LEASE);
		this.client.renew("a", LEASE);
		assertThat(this.client.releaseLater("a", 100, token + 7)).startsWith(1L);
		assertThat(this.client.lastToken()).isEqualTo("" + (token + 7));
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(1L, 100L);
	}

	@Test
	void theFirstWaiterOfEachJvmLearnsThatTheOwnerReleasesSooner() {
		String first = "bbbbbbbbbbbbbbbb:1";
		String second = "cccccccccccccccc:2";
		this.client.take("a", LEASE);
		this.client.queue(first, LEASE);
		this.client.queue("bbbbbbbbbbbbbbbb:2", LEASE);
		this.client.queue("cccccccccccccccc:1", LEASE);
		this.client.queue(second, LEASE);
		this.client.release("cccccccccccccccc:1", LEASE, 0);
		ListeningJvm one = this.client.listen(first);
		ListeningJvm other = this.client.listen(second);
		this.client.renew("a", LEASE);
		this.client.releaseLater("a", 100, 0);
		assertThat(one.messages(1)).containsExactly("sooner " + first);
		assertThat(other.messages(1)).containsExactly("sooner " + second);
	}

	@Test
	void aForeignOwnersLockIsNotTouched() {
		this.client.take("a", 5_000);
		String token = this.client.lastToken();
		assertThat(this.client.renew("b", LEASE)).containsExactly(0L);
		assertThat(this.client.owner()).isEqualTo("a");
		assertThat(this.client.lastToken()).isEqualTo(token);
		assertThat(this.client.remainingMillis(this.client.lock)).isLessThanOrEqualTo(5_000);
	}

	@Test
	void anotherProgramsKeyWithoutExpiryIsNotTouched() {
		this.redis.command("SET", this.client.lock, "legacy");
		assertThat(this.client.renew("a", LEASE)).containsExactly(0L);
		assertThat(this.client.remainingMillis(this.client.lock)).isEqualTo(-1);
	}

	@Test
	void aMissingLockIsNotOwnedAndNotCreated() {
		assertThat(this.client.renew("a", LEASE)).containsExactly(0L);
		assertThat(this.redis.command("DBSIZE")).isEqualTo(0L);
	}

	@Test
	void anExpiredLockIsNotOwnedAndNotCreated() {
		this.client.take("a", 20);
		Awaitility.await().until(() -> !this.client.exists(this.client.lock));
		assertThat(this.client.renew("a", LEASE)).containsExactly(0L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		this.client.take("a", 5_000);
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(this.client.renew("a", LEASE)).first().isEqualTo(1L);
	}

	@Test
	void worksWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			client.take("a", 5_000);
			client.exhaustMemory();
			List<Object> reply = client.renew("a", LEASE);
			assertThat(client.remainingMillis(client.lock)).isGreaterThan(5_000);
			assertThat(client.lastToken()).isEqualTo("" + number(reply, 1));
		}
	}

	@Test
	void aLockKeyOfAnotherTypeIsAnErrorAndNotTouched() {
		this.redis.command("RPUSH", this.client.lock, "x");
		assertThatException().isThrownBy(() -> this.client.renew("a", LEASE)).withMessageContaining("WRONGTYPE");
		assertThat(this.client.remainingMillis(this.client.lock)).isEqualTo(-1);
	}

	@Test
	void aTokenKeyOfAnotherTypeIsAnErrorAndTheLeaseStaysAsItWas() {
		this.client.take("a", 5_000);
		this.redis.command("DEL", this.client.fence);
		this.redis.command("RPUSH", this.client.fence, "x");
		assertThatException().isThrownBy(() -> this.client.renew("a", LEASE)).withMessageContaining("WRONGTYPE");
		assertThat(this.client.remainingMillis(this.client.lock)).isLessThanOrEqualTo(5_000);
	}

}
