package io.github.lockboot.redis;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a lock is handed to the next waiter: by its owner's release, or by any caller after
 * its owner has died. A JVM that is subscribed and does nothing represents a frozen one.
 */
class HandOverScriptTests extends LockScriptTests {

	private static final String OWNER = "aaaaaaaaaaaaaaaa:1";

	private static final String FIRST = "bbbbbbbbbbbbbbbb:1";

	private static final String SECOND = "cccccccccccccccc:1";

	private static final String STRANGER = "dddddddddddddddd:1";

	HandOverScriptTests(RedisServer redis) {
		super(redis);
	}

	// ---- by a release

	@Test
	void theNewOwnerHasAClaimWindowOnly() {
		long token = this.client.take(OWNER, LEASE);
		listening(FIRST);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(1L, ScriptClient.CLAIM_MILLIS);
		long whole = ScriptClient.CLAIM_MILLIS + ScriptClient.MEMORY_MILLIS;
		assertThat(this.client.remainingMillis(this.client.fence)).isBetween(whole - 5_000, whole);
	}

	// ---- dead waiters

	@Test
	void waitersThatPollShareALock() {
		long token = this.client.take(OWNER, LEASE);
		this.client.queueToShareAndPoll(FIRST, LEASE, 3);
		this.client.queueToShareAndPoll(SECOND, LEASE, 3);
		this.client.release(OWNER, LEASE, token);
		assertThat(number(this.client.inspect(), 4)).isEqualTo(2);
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(1L, ScriptClient.POLLED_CLAIM_MILLIS);
	}

	@Test
	void aWaiterOfWhichALaterVersionTellsSomethingElseIsNotTakenForOneThatPolls() {
		long token = this.client.take(OWNER, LEASE);
		this.client.queue(FIRST, LEASE);
		long deadline = this.client.timeMicros() + 5_000_000;
		this.redis.command("HSET", this.client.deadlines, FIRST, deadline + " 1 " + deadline + " later");
		assertThat(this.client.release(OWNER, LEASE, token)).containsExactly(1L);
	}

	@Test
	void aReleaseThatFindsTooManyDeadWaitersLeavesTheLockToTheOthers() {
		long token = this.client.take(OWNER, LEASE);
		manyDead();
		ListeningJvm<String> second = listening(SECOND);
		assertThat(this.client.release(OWNER, LEASE, token)).containsExactly(3L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
		assertThat(this.client.acquire(STRANGER, LEASE, 0)).containsExactly(0L, 0L);
		assertThat(this.client.release(OWNER, LEASE, 0)).containsExactly(0L);
		assertThat(this.client.owner()).isEqualTo(SECOND);
		assertThat(token(second)).isGreaterThan(token);
	}

	@Test
	void aWaiterBehindTooManyDeadWaitersContinuesTheHandover() {
		long token = this.client.take(OWNER, LEASE);
		manyDead();
		listening(SECOND);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.queue(STRANGER, LEASE)).startsWith(2L, 0L);
		assertThat(number(this.client.queueInFront(SECOND, LEASE), 0)).isOne();
	}

	@Test
	void aJvmWithoutASubscriptionIsNotifiedOfOneGrantOnly() {
		long token = this.client.take(OWNER, LEASE);
		for (int i = 0; i < 50; i++) {
			this.client.queue("bbbbbbbbbbbbbbbb:" + i, LEASE);
		}
		listening(SECOND);
		assertThat(this.redis.commandsDuring(() -> this.client.release(OWNER, LEASE, token)).of("publish"))
			.isEqualTo(2);
		assertThat(this.client.owner()).isEqualTo(SECOND);
	}

	/** More waiters than two calls skip, but fewer than three. */
	private void manyDead() {
		for (int i = 0; i < 700; i++) {
			this.client.queue("bbbbbbbbbbbbbbbb:" + i, LEASE);
		}
	}

	@Test
	void aSkippedWaiterRegainsItsPositionAtTheHead() {
		long token = this.client.take(OWNER, LEASE);
		this.client.queue(FIRST, LEASE);
		listening(SECOND);
		this.client.queue(STRANGER, LEASE);
		this.client.release(OWNER, LEASE, token);
		this.client.queueInFront(FIRST, LEASE);
		assertThat(this.client.waiting()).containsExactly(FIRST, STRANGER);
	}

	@Test
	void ifAllWaitersAreDeadTheLockIsFreeAndTheirEntriesAreDeleted() {
		long token = this.client.take(OWNER, LEASE);
		this.client.queue(FIRST, LEASE);
		this.client.queue(SECOND, LEASE);
		this.client.die(SECOND);
		assertThat(this.client.release(OWNER, LEASE, token)).containsExactly(1L);
		assertThat(this.client.exists(this.client.lock)).isFalse();
		assertThat(this.client.exists(this.client.queue)).isFalse();
		assertThat(this.client.exists(this.client.deadlines)).isFalse();
		assertThat(this.client.lastToken()).isEqualTo("" + token);
	}

	// ---- tokens

	@Test
	void noDigitOfAGrantedTokenIsLost() {
		this.client.take(OWNER, LEASE);
		ListeningJvm<String> first = listening(FIRST);
		this.client.release(OWNER, LEASE, 8_765_432_109_876_542L);
		assertThat(token(first)).isEqualTo(8_765_432_109_876_543L);
		assertThat(this.client.lastToken()).isEqualTo("8765432109877543");
	}

	@Test
	void handOversLeaveTheTokenNearTheTimeOfRedis() {
		long token = this.client.take(OWNER, LEASE);
		String owner = OWNER;
		ListeningJvm<String> jvm = this.client.listen(FIRST);
		for (int i = 1; i <= 200; i++) {
			String next = "bbbbbbbbbbbbbbbb:" + i;
			this.client.queue(next, LEASE);
			this.client.release(owner, LEASE, token);
			token = Long.parseLong(jvm.messages(2 * i - 1)
				.stream()
				.filter((m) -> m.startsWith("grant " + next + " "))
				.findFirst()
				.orElseThrow()
				.split(" ")[2]);
			owner = next;
		}
		this.client.release(owner, LEASE, token);
		assertThat(Long.parseLong(this.client.lastToken())).isLessThanOrEqualTo(this.client.timeMicros());
	}

	/** Queues a waiter whose JVM is subscribed. */
	private ListeningJvm<String> listening(String owner) {
		this.client.queue(owner, LEASE);
		return this.client.listen(owner);
	}

	private static long token(ListeningJvm<String> jvm) {
		return Long.parseLong(jvm.messages(1).get(0).split(" ")[2]);
	}

}
