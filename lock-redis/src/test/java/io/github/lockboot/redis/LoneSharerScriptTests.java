package io.github.lockboot.redis;

import java.util.List;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The only holder of a shared lock is stored in the value of the lock, and moves to the
 * set of holders when others join.
 */
class LoneSharerScriptTests extends LockScriptTests {

	private static final String ONE = "aaaaaaaaaaaaaaaa:1";

	private static final String OTHER = "bbbbbbbbbbbbbbbb:1";

	private static final String THIRD = "cccccccccccccccc:1";

	LoneSharerScriptTests(RedisServer redis) {
		super(redis);
	}

	// ---- a single holder

	@Test
	void isReleasedWithoutMemory() {
		try (RedisServer redis = RedisFixture.newServer(); ScriptClient client = new ScriptClient(redis)) {
			client.share(ONE, LEASE, 4);
			redis.exhaustMemory();
			assertThat(client.release(ONE, LEASE, 0)).containsExactly(1L);
			assertThat(client.exists(client.lock)).isFalse();
		}
	}

	@Test
	void isReportedAsSharedByOneWithoutAnyChange() {
		this.client.share(ONE, LEASE, 4);
		List<Object> reply = this.client.inspect();
		assertThat(reply.get(0)).isEqualTo("shared");
		assertThat(number(reply, 4)).isOne();
		assertThat(this.client.owner()).isEqualTo("shared " + ONE);
	}

	@Test
	void isNotifiedOfAForcedRelease() {
		ListeningJvm<String> jvm = this.client.listen(ONE);
		this.client.share(ONE, LEASE, 4);
		assertThat(this.client.force()).containsExactly(1L);
		assertThat(jvm.messages(1)).containsExactly("taken " + ONE);
		assertThat(this.client.exists(this.client.lock)).isFalse();
		assertThat(this.client.exists(this.client.sharers)).isFalse();
	}

	// ---- tokens

	@Test
	void hasTheLastTokenOfAWriterAndKeepsItForLonger() {
		long token = this.client.take(OTHER, LEASE);
		this.client.release(OTHER, LEASE, token);
		this.redis.command("PEXPIRE", this.client.fence, "60000");
		assertThat(this.client.share(ONE, LEASE, 4)).containsExactly(1L, token, token, 0L);
		assertThat(this.client.remainingMillis(this.client.fence)).isGreaterThan(ScriptClient.MEMORY_MILLIS);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1_795_262_400_123_456L })
	void hasTheTimeAsItsTokenIfThereWasNoneOrAnEarlierOneHasExpired(long seen) {
		long before = this.client.timeMicros();
		long token = number(this.client.share(ONE, LEASE, 4, seen), 1);
		assertThat(token).isBetween(before, this.client.timeMicros());
		assertThat(this.client.lastToken()).isEqualTo(String.valueOf(token));
	}

	@Test
	void hasTheHighestTokenThatItsJvmHasSeen() {
		long token = this.client.take(OTHER, LEASE);
		this.client.release(OTHER, LEASE, token);
		long seen = token + 5_000_000;
		assertThat(this.client.share(ONE, LEASE, 4, seen)).containsExactly(1L, seen, seen, 0L);
		assertThat(this.client.lastToken()).isEqualTo(String.valueOf(seen));
	}

	// ---- joined

	@Test
	void joinedByAJvmWithAnEarlierTokenHasTheTimeAsTokenIfTheLastOneHasExpired() {
		this.client.share(ONE, LEASE, 4);
		this.redis.command("DEL", this.client.fence);
		long before = this.client.timeMicros();
		assertThat(number(this.client.share(OTHER, LEASE, 4, before - 1_000_000), 1)).isBetween(before,
				this.client.timeMicros());
	}

	@Test
	void blocksAWriterWithoutMemoryToo() {
		try (RedisServer redis = RedisFixture.newServer(); ScriptClient client = new ScriptClient(redis)) {
			client.share(ONE, LEASE, 4);
			redis.exhaustMemory();
			assertThat(client.acquire(OTHER, LEASE, 0)).startsWith(0L);
			assertThat(client.renew(ONE, LEASE)).startsWith(1L);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void keepsItsMinimumHoldTimeBesideOthersWhateverComesLate(boolean alone) {
		this.client.share(ONE, LEASE, 4);
		if (!alone) {
			this.client.share(OTHER, LEASE, 4);
		}
		this.client.releaseLater(ONE, 1_000, 0);
		long end = this.client.timeMicros() / 1000 + 1_000;
		assertThat(this.client.renew(ONE, LEASE)).containsExactly(0L);
		assertThat(this.client.releaseLater(ONE, LEASE, 0)).startsWith(1L);
		assertThat(this.client.share(ONE, LEASE, 4)).startsWith(0L);
		assertThat(this.client.renew(ONE, LEASE)).containsExactly(0L);
		assertThat(this.client.acquire(THIRD, LEASE, 0)).startsWith(0L);
		assertThat(this.client.share(THIRD, LEASE, 4)).startsWith(1L);
		assertThat(Double.parseDouble("" + this.redis.command("ZSCORE", this.client.sharers, ONE)))
			.isLessThanOrEqualTo(end);
		assertThat(this.client.releaseLater(ONE, 1, 0)).startsWith(1L);
	}

	@Test
	void isNotTakenForAForeignOwnerWithTheSamePrefix() {
		this.redis.command("SET", this.client.lock, "shared foo", "PX", String.valueOf(LEASE));
		assertThat(this.client.share(ONE, LEASE, 4)).startsWith(0L);
		assertThat(this.client.owner()).isEqualTo("shared foo");
		assertThat(this.client.inspect()).startsWith("shared foo");
	}

	@Test
	void isNotReleasedByForceIfItsLockHasNoExpiry() {
		this.client.share(ONE, LEASE, 4);
		this.redis.command("PERSIST", this.client.lock);
		assertThat(this.client.acquire(OTHER, LEASE, 0)).containsExactly(0L, -1L);
		assertThat(this.client.renew(ONE, LEASE)).startsWith(1L);
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(1L, LEASE);
	}

	@Test
	void isNotifiedOfAWaitingWriter() {
		ListeningJvm<String> jvm = this.client.listen(ONE);
		this.client.share(ONE, LEASE, Integer.MAX_VALUE);
		this.client.queue(OTHER, LEASE);
		assertThat(jvm.messages(1)).containsExactly("queued " + ONE);
	}

	@Test
	void acquiresOnlyAfterTheWaiters() {
		this.client.take(ONE, LEASE);
		this.client.queueToShare(OTHER, LEASE, 4);
		this.client.listen(OTHER);
		this.client.expire();
		assertThat(this.client.share(THIRD, LEASE, 1_000)).startsWith(1L);
		assertThat(this.client.owner()).isEqualTo("shared");
		assertThat(this.redis.command("ZRANGE", this.client.sharers, "0", "-1"))
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactlyInAnyOrder(OTHER, THIRD);
	}

}
