package io.github.lockboot.redis;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class ReleaseAllScriptTests {

	private static final long LEASE = 30_000;

	private static final String WAITER = "00000000000000bb:1";

	private final RedisServer redis;

	private final ScriptClient one;

	private final ScriptClient other;

	ReleaseAllScriptTests(RedisServer redis) {
		this.redis = redis;
		this.one = new ScriptClient(redis);
		this.other = this.one.about("orders:43");
	}

	@AfterEach
	void close() {
		this.one.close();
	}

	@Test
	void theOwnerGivesAllLocksBack() {
		acquire();
		assertThat(release()).containsExactly(1L, 1L);
		assertThat(List.of(this.one.exists(this.one.lock), this.other.exists(this.other.lock))).containsOnly(false);
	}

	@Test
	void remembersTheTokens() {
		acquire();
		release();
		long whole = LEASE + ScriptClient.MEMORY_MILLIS;
		assertThat(this.other.remainingMillis(this.other.fence)).isBetween(whole - 5_000, whole);
	}

	@Test
	void aForeignOwnerOfOneKeepsIt() {
		this.one.take("a1", LEASE);
		this.other.take("b", LEASE);
		assertThat(release()).containsExactly(1L, 0L);
		assertThat(this.other.owner()).isEqualTo("b");
	}

	@Test
	void aLockWhoseLeaseIsOverIsNotTheOwners() {
		acquire();
		this.one.expire();
		assertThat(release()).containsExactly(0L, 1L);
	}

	@Test
	void aLockThatSomebodyWaitsForIsHandedOver() {
		acquire();
		this.other.queue(WAITER, LEASE);
		try (ListeningJvm waiter = this.other.listen(WAITER)) {
			assertThat(release()).containsExactly(1L, 2L);
			assertThat(waiter.messages(1).get(0)).startsWith("grant " + WAITER).endsWith(this.other.lock);
		}
		assertThat(this.other.owner()).isEqualTo(WAITER);
		assertThat(this.one.exists(this.one.lock)).isFalse();
	}

	@Test
	void ownersThatWaitLeaveTheirQueues() {
		this.one.take("b", LEASE);
		this.one.queue("a1", LEASE);
		this.other.take("b", LEASE);
		this.other.queue("a2", LEASE);
		assertThat(release()).containsExactly(0L, 0L);
		assertThat(this.one.waiting()).isEmpty();
		assertThat(this.other.waiting()).isEmpty();
	}

	@Test
	void whoSharesLocksLeavesThemToTheOthers() {
		this.one.acquireWith(this.other, "a1", "a2", LEASE, Integer.MAX_VALUE);
		this.one.acquireWith(this.other, "b1", "b2", LEASE, Integer.MAX_VALUE);
		assertThat(release()).containsExactly(1L, 1L);
		assertThat(this.redis.command("ZRANGE", this.one.lock + ":r", "0", "-1")).isEqualTo(List.of("b1"));
		assertThat(this.redis.command("ZRANGE", this.other.lock + ":r", "0", "-1")).isEqualTo(List.of("b2"));
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		acquire();
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(release()).containsExactly(1L, 1L);
	}

	@Test
	void worksWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			ScriptClient second = client.about("orders:43");
			client.acquireWith(second, "a1", "a2", LEASE, 1);
			client.exhaustMemory();
			assertThat(client.releaseWith(second, "a1", "a2", LEASE)).containsExactly(1L, 1L);
			assertThat(List.of(client.exists(client.lock), second.exists(second.lock))).containsOnly(false);
		}
	}

	private void acquire() {
		assertThat(this.one.acquireWith(this.other, "a1", "a2", LEASE, 1)).startsWith(1L);
	}

	private List<Object> release() {
		return this.one.releaseWith(this.other, "a1", "a2", LEASE);
	}

}
