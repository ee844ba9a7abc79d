package io.github.lockboot.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class AcquireScriptTests extends LockScriptTests {

	AcquireScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void remembersATokenAheadOfTheTimeUntilTheTimeReachesIt() {
		long ahead = this.client.timeMicros() + 3_600_000_000L;
		this.client.acquire("a", LEASE, ahead);
		long whole = 3_600_000 + ScriptClient.MEMORY_MILLIS;
		assertThat(this.client.remainingMillis(this.client.fence)).isBetween(whole - 5_000, whole + 5_000);
	}

	@Test
	void aForeignOwnerKeepsTheLockAndItsRemainingTimeIsReturned() {
		this.client.take("a", LEASE);
		String token = this.client.lastToken();
		List<Object> reply = this.client.acquire("b", 10 * LEASE, 0);
		assertThat(reply).hasSize(2).first().isEqualTo(0L);
		assertThat(number(reply, 1)).isBetween(LEASE - 5_000, LEASE);
		assertThat(this.client.owner()).isEqualTo("a");
		assertThat(this.client.lastToken()).isEqualTo(token);
		assertThat(this.client.remainingMillis(this.client.lock)).isLessThanOrEqualTo(LEASE);
		assertThat(this.client.remainingMillis(this.client.fence))
			.isLessThanOrEqualTo(LEASE + ScriptClient.MEMORY_MILLIS);
	}

	@Test
	void theOwnerThatAcquiresAgainGetsAGreaterToken() {
		long first = this.client.take("a", 1_000);
		long second = this.client.take("a", LEASE);
		assertThat(second).isGreaterThan(first);
		assertThat(this.client.remainingMillis(this.client.lock)).isGreaterThan(1_000);
	}

	@Test
	void failsWithoutMemoryAndLeavesNothing() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			full.exhaustMemory();
			assertThatException().isThrownBy(() -> client.take("a", LEASE)).withMessageContaining("OOM");
			assertThat(full.command("DBSIZE")).isEqualTo(0L);
		}
	}

	@Test
	void withoutMemoryABusyLockIsStillReportedAsBusy() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			client.take("a", LEASE);
			full.exhaustMemory();
			assertThat(client.acquire("b", LEASE, 0)).first().isEqualTo(0L);
		}
	}

	@Test
	void aLockKeyOfAnotherTypeIsAnErrorAndStays() {
		this.redis.command("RPUSH", this.client.lock, "x");
		assertThatException().isThrownBy(() -> this.client.take("a", LEASE)).withMessageContaining("WRONGTYPE");
		assertThat(this.redis.command("TYPE", this.client.lock)).isEqualTo("list");
		assertThat(this.client.exists(this.client.fence)).isFalse();
	}

	@Test
	void aTokenKeyOfAnotherTypeIsAnErrorAndNothingIsOwned() {
		this.redis.command("RPUSH", this.client.fence, "x");
		assertThatException().isThrownBy(() -> this.client.take("a", LEASE)).withMessageContaining("WRONGTYPE");
		assertThat(this.client.exists(this.client.lock)).isFalse();
	}

	@Test
	void aTokenThatIsNotANumberIsAnErrorAndNothingIsOwned() {
		this.redis.command("SET", this.client.fence, "x");
		assertThatException().isThrownBy(() -> this.client.take("a", LEASE));
		assertThat(this.client.exists(this.client.lock)).isFalse();
	}

	@Test
	void aKeyWithoutExpiryHasNoEndAndIsNeverAcquired() {
		this.redis.command("SET", this.client.lock, "legacy");
		assertThat(this.client.acquire("a", LEASE, 0)).containsExactly(0L, -1L);
		assertThat(this.client.owner()).isEqualTo("legacy");
		assertThat(this.client.remainingMillis(this.client.lock)).isEqualTo(-1);
	}

	@Test
	void theTokenIsGreaterThanTheLastOneAtAnyTimeOfTheClock() {
		long ahead = this.client.timeMicros() + 3_600_000_000L;
		this.redis.command("SET", this.client.fence, "" + ahead);
		assertThat(this.client.take("a", LEASE)).isEqualTo(ahead + 1);
	}

	@Test
	void theTokenIsGreaterThanTheOneTheCallerHasSeen() {
		long ahead = this.client.timeMicros() + 3_600_000_000L;
		assertThat(number(this.client.acquire("a", LEASE, ahead), 1)).isEqualTo(ahead + 1);
	}

	@Test
	void noDigitOfATokenIsLost() {
		long seen = 8_765_432_109_876_542L;
		List<Object> reply = this.client.acquire("a", 10, seen);
		assertThat(reply).containsExactly(1L, seen + 1, seen + 1 + ScriptClient.FEW, 0L);
		assertThat(this.client.lastToken()).isEqualTo("8765432109877543");
	}

}
