package io.github.lockboot.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

class ReleaseAllScriptTests extends LockScriptTests {

	private static final String WAITER = "00000000000000bb:1";

	private final ScriptClient other = this.client.about("orders:43");

	ReleaseAllScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theOwnerGivesAllLocksBack() {
		acquire();
		assertThat(release()).containsExactly(1L, 1L);
		assertThat(List.of(this.client.exists(this.client.lock), this.other.exists(this.other.lock)))
			.containsOnly(false);
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
		this.client.take("a1", LEASE);
		this.other.take("b", LEASE);
		assertThat(release()).containsExactly(1L, 0L);
		assertThat(this.other.owner()).isEqualTo("b");
	}

	@Test
	void aLockWhoseLeaseIsOverIsNotTheOwners() {
		acquire();
		this.client.expire();
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
		assertThat(this.client.exists(this.client.lock)).isFalse();
	}

	@Test
	void ownersThatWaitLeaveTheirQueues() {
		this.client.take("b", LEASE);
		this.client.queue("a1", LEASE);
		this.other.take("b", LEASE);
		this.other.queue("a2", LEASE);
		assertThat(release()).containsExactly(0L, 0L);
		assertThat(this.client.waiting()).isEmpty();
		assertThat(this.other.waiting()).isEmpty();
	}

	@Test
	void whoSharesLocksLeavesThemToTheOthers() {
		this.client.acquireWith(this.other, "a1", "a2", LEASE, Integer.MAX_VALUE);
		this.client.acquireWith(this.other, "b1", "b2", LEASE, Integer.MAX_VALUE);
		assertThat(release()).containsExactly(1L, 1L);
		assertThat(this.redis.command("ZRANGE", this.client.lock + ":r", "0", "-1")).isEqualTo(List.of("b1"));
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
		assertThat(this.client.acquireWith(this.other, "a1", "a2", LEASE, 1)).startsWith(1L);
	}

	private List<Object> release() {
		return this.client.releaseWith(this.other, "a1", "a2", LEASE);
	}

}
