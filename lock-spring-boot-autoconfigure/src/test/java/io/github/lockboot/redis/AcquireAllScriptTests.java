package io.github.lockboot.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class AcquireAllScriptTests extends LockScriptTests {

	private static final String WAITER = "00000000000000bb:1";

	private final ScriptClient other = this.client.about("orders:43");

	AcquireAllScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void ownsFreeLocksForTheirLease() {
		assertThat(number(acquire(), 0)).isEqualTo(1);
		assertThat(List.of(this.client.owner(), this.other.owner())).containsExactly("a1", "a2");
		for (ScriptClient each : List.of(this.client, this.other)) {
			assertThat(each.remainingMillis(each.lock)).isBetween(LEASE - 5_000, LEASE);
			long whole = LEASE + ScriptClient.MEMORY_MILLIS;
			assertThat(each.remainingMillis(each.fence)).isBetween(whole - 5_000, whole);
		}
	}

	@Test
	void givesEachLockTokensAsIfItWereAlone() {
		long before = this.client.timeMicros();
		List<Object> reply = acquire();
		assertThat(reply).hasSize(7);
		for (int first : new int[] { 1, 4 }) {
			assertThat(number(reply, first)).isBetween(before, this.client.timeMicros());
			assertThat(number(reply, first + 1)).isEqualTo(ScriptClient.reserved(number(reply, first), LEASE));
			assertThat(number(reply, first + 2)).isZero();
		}
		assertThat(this.other.lastToken()).isEqualTo("" + number(reply, 5));
	}

	@Test
	void aForeignOwnerOfOneKeepsAllAndTheOtherStaysFree() {
		this.other.take("b", LEASE);
		String token = this.other.lastToken();
		List<Object> reply = acquire();
		assertThat(reply).hasSize(3).startsWith(0L, -2L);
		assertThat(number(reply, 2)).isBetween(LEASE - 5_000, LEASE);
		assertThat(List.of(this.client.exists(this.client.lock), this.client.exists(this.client.fence)))
			.containsOnly(false);
		assertThat(this.other.owner()).isEqualTo("b");
		assertThat(this.other.lastToken()).isEqualTo(token);
	}

	@Test
	void anOwnerWithoutEndIsToldAsSuch() {
		this.redis.command("SET", this.other.lock, "another program");
		assertThat(acquire()).containsExactly(0L, -2L, -1L);
	}

	@Test
	void whoOwnsOneAlreadyOwnsItAnewWithAGreaterToken() {
		long before = this.client.take("a1", 1_000);
		List<Object> reply = acquire();
		assertThat(number(reply, 1)).isGreaterThan(before);
		assertThat(this.client.remainingMillis(this.client.lock)).isGreaterThan(1_000);
	}

	@Test
	void aLockWhoseOwnerHasDiedGoesToTheWaiterThatListens() {
		this.other.take("b", LEASE);
		this.other.queue(WAITER, LEASE);
		try (ListeningJvm waiter = this.other.listen(WAITER)) {
			this.other.expire();
			assertThat(number(acquire(), 0)).isZero();
			assertThat(waiter.messages(1).get(0)).startsWith("grant " + WAITER);
		}
		assertThat(this.other.owner()).isEqualTo(WAITER);
		assertThat(this.client.exists(this.client.lock)).isFalse();
	}

	@Test
	void waitersThatDoNotListenAnyMoreAreNoHindrance() {
		this.other.take("b", LEASE);
		this.other.queue(WAITER, LEASE);
		this.other.expire();
		assertThat(number(acquire(), 0)).isEqualTo(1);
		assertThat(this.other.owner()).isEqualTo("a2");
		assertThat(this.other.exists(this.other.queue)).isFalse();
	}

	@Test
	void aDeadQueueLeavesNoOwnerBehindIfAnotherLockIsBusy() {
		this.client.take("b", LEASE);
		this.client.queue(WAITER, LEASE);
		this.client.expire();
		this.other.take("b", LEASE);
		assertThat(number(acquire(), 0)).isZero();
		assertThat(this.client.exists(this.client.lock)).isFalse();
	}

	@Test
	void sharesWhatOthersShareIfAskedTo() {
		share("b1", "b2");
		assertThat(share("c1", "c2")).startsWith(1L);
		assertThat(acquire()).startsWith(0L);
		assertThat(this.client.owner()).isEqualTo("shared");
	}

	@Test
	void whoSharesAlreadyHasTheSameTokensWhenItAsksAgain() {
		List<Object> before = share("b1", "b2");
		assertThat(share("b1", "b2")).startsWith(1L, number(before, 1), number(before, 2));
	}

	@Test
	void leasesOfASharedLockThatAreOverDoNotCount() {
		this.client.acquireWith(this.other, "b1", "b2", LEASE, 2);
		this.redis.command("ZADD", this.client.lock + ":r", "1", "b1");
		this.redis.command("ZADD", this.other.lock + ":r", "1", "b2");
		assertThat(acquire()).startsWith(1L);
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(acquire()).startsWith(1L);
	}

	@Test
	void isRefusedWithoutMemoryAndLeavesNothing() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			client.exhaustMemory();
			assertThatException().isThrownBy(() -> client.acquireWith(client.about("orders:43"), "a", "b", LEASE, 1))
				.withMessageContaining("OOM");
			assertThat(full.command("DBSIZE")).isEqualTo(0L);
		}
	}

	private List<Object> acquire() {
		return this.client.acquireWith(this.other, "a1", "a2", LEASE, 1);
	}

	private List<Object> share(String owner, String otherOwner) {
		return this.client.acquireWith(this.other, owner, otherOwner, LEASE, Integer.MAX_VALUE);
	}

}
