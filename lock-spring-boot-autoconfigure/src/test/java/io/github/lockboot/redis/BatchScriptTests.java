package io.github.lockboot.redis;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several calls of the scripts of locks, as one.
 */
@DependsOnRedisVersion
class BatchScriptTests {

	private static final long LEASE = 30_000;

	private static final String OWNER = "0123456789abcdef:1";

	private static final String OTHER = "0123456789abcdef:2";

	private final RedisServer redis = RedisFixture.newServer();

	private final ScriptClient a = new ScriptClient(this.redis).about("a");

	private final ScriptClient b = this.a.about("b");

	@AfterEach
	void close() {
		this.a.close();
		this.redis.close();
	}

	@Test
	void freeLocksAreAcquiredWithTheirOwnLeasesAndTokens() {
		long before = this.a.timeMicros();
		List<Object> replies = this.a.batch("aa", List.of("a", "b"), OWNER, LEASE, 0, OTHER, 2 * LEASE, 0);
		assertThat(replies).hasSize(2)
			.allSatisfy((token) -> assertThat((Long) token).isBetween(before, this.a.timeMicros()));
		assertThat(this.a.owner()).isEqualTo(OWNER);
		assertThat(this.b.owner()).isEqualTo(OTHER);
		assertThat(this.a.remainingMillis(this.a.lock)).isBetween(LEASE / 2, LEASE);
		assertThat(this.b.remainingMillis(this.b.lock)).isBetween(LEASE + 1, 2 * LEASE);
		assertThat(this.b.remainingMillis(this.b.fence)).isGreaterThan(2 * LEASE);
		assertThat(Long.parseLong(this.b.lastToken()))
			.isEqualTo(ScriptClient.reserved((Long) replies.get(1), 2 * LEASE));
	}

	@Test
	void aTokenIsGreaterThanOneAheadOfTheTime() {
		long ahead = this.a.timeMicros() + 3_600_000_000L;
		assertThat(this.a.batch("aa", List.of("a", "b"), OWNER, LEASE, ahead, OTHER, LEASE, 0).get(0))
			.isEqualTo(List.of(1L, ahead + 1, ahead + 1 + ScriptClient.FEW, 0L));
	}

	@Test
	void aBusyLockIsLeftToACallOfItsOwn() {
		this.a.take(OTHER, LEASE);
		List<Object> replies = this.a.batch("aa", List.of("a", "b"), OWNER, LEASE, 0, OWNER, LEASE, 0);
		assertThat(replies.get(0)).isNull();
		assertThat(replies.get(1)).isNotNull();
		assertThat(this.a.owner()).isEqualTo(OTHER);
		assertThat(this.b.owner()).isEqualTo(OWNER);
	}

	@Test
	void aLockForWhichOthersWaitIsNeitherAcquiredNorReleased() {
		this.a.take(OTHER, LEASE);
		this.a.queue("fedcba9876543210:1", LEASE);
		assertThat(this.a.batch("rr", List.of("a", "b"), OTHER, 1, OTHER, 1)).containsOnlyNulls();
		assertThat(this.a.owner()).isEqualTo(OTHER);
		this.a.expire();
		assertThat(this.a.batch("a", List.of("a"), OWNER, LEASE, 0)).containsOnlyNulls();
		assertThat(this.a.exists(this.a.lock)).isFalse();
	}

	@Test
	void whatAnotherOwnsIsNotReleased() {
		this.a.take(OTHER, LEASE);
		this.b.take(OWNER, LEASE);
		assertThat(this.a.batch("rr", List.of("a", "b"), OWNER, 7, OWNER, 8)).containsExactly(null, 1L);
		assertThat(this.a.owner()).isEqualTo(OTHER);
		assertThat(this.b.exists(this.b.lock)).isFalse();
		assertThat(this.b.lastToken()).isEqualTo("8");
	}

	@Test
	void callsAreCarriedOutInTheirOrder() {
		long token = this.a.take(OTHER, LEASE);
		List<Object> replies = this.a.batch("rar", List.of("a", "a", "b"), OTHER, token, OWNER, LEASE, 0, OTHER, 1);
		assertThat(replies.get(0)).isEqualTo(1L);
		assertThat((Long) replies.get(1)).isGreaterThan(token);
		assertThat(replies.get(2)).isNull();
		assertThat(this.a.owner()).isEqualTo(OWNER);
	}

	@Test
	void whatRedisRefusesDoesNotKeepOthersFromTheirLocks() {
		this.a.take(OTHER, LEASE);
		this.a.exhaustMemory();
		assertThat(this.a.batch("ar", List.of("b", "a"), OWNER, LEASE, 0, OTHER, 1)).containsExactly(null, 1L);
		assertThat(this.a.exists(this.a.lock)).isFalse();
		assertThat(this.b.exists(this.b.lock)).isFalse();
	}

	@Test
	void aKeyOfAnotherTypeDoesNotKeepOthersFromTheirLocks() {
		this.redis.command("LPUSH", this.a.fence, "foreign");
		assertThat(this.a.batch("aa", List.of("a", "b"), OWNER, LEASE, 0, OWNER, LEASE, 0).get(0)).isNull();
		assertThat(this.a.exists(this.a.lock)).isFalse();
		assertThat(this.b.owner()).isEqualTo(OWNER);
	}

}
