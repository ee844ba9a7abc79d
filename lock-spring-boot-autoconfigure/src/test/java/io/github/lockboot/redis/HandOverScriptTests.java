package io.github.lockboot.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a lock is handed to the next waiter: by its owner's release, or by any caller after
 * its owner has died. A JVM that is subscribed and does nothing represents a frozen one.
 */
@DependsOnRedisVersion
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
	void aReleaseMakesTheFirstWaiterTheOwner() {
		long token = this.client.take(OWNER, LEASE);
		listening(FIRST);
		listening(SECOND);
		assertThat(this.client.release(OWNER, LEASE, token)).containsExactly(2L);
		assertThat(this.client.owner()).isEqualTo(FIRST);
		assertThat(this.client.waiting()).containsExactly(SECOND);
		assertThat(this.redis.command("HKEYS", this.client.deadlines)).isEqualTo(List.of(SECOND));
	}

	@Test
	void theNewOwnerHasAClaimWindowOnly() {
		long token = this.client.take(OWNER, LEASE);
		listening(FIRST);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(1L, ScriptClient.CLAIM_MILLIS);
		long whole = ScriptClient.CLAIM_MILLIS + ScriptClient.MEMORY_MILLIS;
		assertThat(this.client.remainingMillis(this.client.fence)).isBetween(whole - 5_000, whole);
	}

	/** A lock that was handed over, but was not acknowledged by replicas in time. */
	@Test
	void aLeaseOfUnknownLengthIsHandedOverForAWholeClaimWindow() {
		long token = this.client.take(OWNER, LEASE);
		listening(FIRST);
		assertThat(this.client.release(OWNER, 0, token)).containsExactly(2L);
		assertThat(this.client.owner()).isEqualTo(FIRST);
		assertThat(this.client.remainingMillis(this.client.lock)).isGreaterThan(ScriptClient.CLAIM_MILLIS / 2);
	}

	@Test
	void theNewOwnerIsNotifiedWithAllDetails() {
		long token = this.client.take(OWNER, LEASE);
		ListeningJvm first = listening(FIRST);
		listening(SECOND);
		long before = this.client.timeMicros();
		this.client.release(OWNER, LEASE, token);
		String[] words = first.messages(1).get(0).split(" ");
		long granted = Long.parseLong(words[2]);
		assertThat(granted).isBetween(before, this.client.timeMicros());
		assertThat(words).containsExactly("grant", FIRST, "" + granted,
				"" + (granted + ScriptClient.AHEAD_MILLIS * 1000), "" + granted, "" + ScriptClient.CLAIM_MILLIS, "1",
				this.client.lock);
		assertThat(this.client.lastToken()).isEqualTo(words[3]);
	}

	@Test
	void aReleaseNotifiesOnlyTheNewOwner() {
		long token = this.client.take(OWNER, LEASE);
		ListeningJvm first = listening(FIRST);
		ListeningJvm second = listening(SECOND);
		this.client.release(OWNER, LEASE, token);
		this.client.release(FIRST, LEASE, 0);
		assertThat(first.messages(1)).hasSize(1);
		assertThat(second.messages(1)).singleElement().asString().startsWith("grant " + SECOND);
	}

	@Test
	void theFirstRenewalExtendsTheClaimWindowToTheLease() {
		long token = this.client.take(OWNER, LEASE);
		listening(FIRST);
		this.client.release(OWNER, LEASE, token);
		assertThat(number(this.client.renew(FIRST, LEASE), 0)).isOne();
		assertThat(this.client.remainingMillis(this.client.lock)).isGreaterThan(ScriptClient.CLAIM_MILLIS);
	}

	@Test
	void aRepeatedRequestInTheClaimWindowOwnsTheLock() {
		long token = this.client.take(OWNER, LEASE);
		listening(FIRST);
		this.client.release(OWNER, LEASE, token);
		assertThat(number(this.client.queueInFront(FIRST, LEASE), 0)).isOne();
		assertThat(this.client.exists(this.client.queue)).isFalse();
	}

	@Test
	void aReleaseWithoutWaitersPublishesNothing() {
		long token = this.client.take(OWNER, LEASE);
		assertThat(this.redis.commandsDuring(() -> this.client.release(OWNER, LEASE, token)).of("publish")).isZero();
	}

	// ---- dead waiters

	@Test
	void aWaiterWhoseConnectionIsGoneIsSkippedAtOnce() {
		long token = this.client.take(OWNER, LEASE);
		this.client.queue(FIRST, LEASE);
		listening(SECOND);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.owner()).isEqualTo(SECOND);
	}

	@Test
	void aFrozenWaiterStillCountsAndHasItsClaimWindow() {
		long token = this.client.take(OWNER, LEASE);
		listening(FIRST);
		listening(SECOND);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.owner()).isEqualTo(FIRST);
		this.client.expire();
		assertThat(number(this.client.queueInFront(SECOND, LEASE), 0)).isOne();
	}

	@Test
	void aWaiterThatPollsOwnsTheLockWithoutASubscription() {
		long token = this.client.take(OWNER, LEASE);
		this.client.queueAndPoll(FIRST, LEASE);
		listening(SECOND);
		assertThat(this.client.release(OWNER, LEASE, token)).containsExactly(2L);
		assertThat(this.client.owner()).isEqualTo(FIRST);
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(1L, ScriptClient.POLLED_CLAIM_MILLIS);
		assertThat(number(this.client.queueAndPoll(FIRST, LEASE), 0)).isOne();
		assertThat(this.client.remainingMillis(this.client.lock)).isGreaterThan(ScriptClient.CLAIM_MILLIS);
	}

	@Test
	void aWaiterThatPollsIsSkippedIfItHasNotForLong() {
		long token = this.client.take(OWNER, LEASE);
		this.client.queueAndPoll(FIRST, LEASE);
		listening(SECOND);
		this.client.die(FIRST);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.owner()).isEqualTo(SECOND);
	}

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
	void aWaiterWithoutARecentRequestIsSkippedEvenIfItIsSubscribed() {
		long token = this.client.take(OWNER, LEASE);
		listening(FIRST);
		ListeningJvm second = listening(SECOND);
		this.client.die(FIRST);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.owner()).isEqualTo(SECOND);
		assertThat(second.messages(1)).hasSize(1);
	}

	@Test
	void oneReleaseSkipsAnyNumberOfDeadWaiters() {
		long token = this.client.take(OWNER, LEASE);
		this.client.listen(FIRST);
		for (int i = 0; i < 50; i++) {
			this.client.queue("bbbbbbbbbbbbbbbb:" + i, LEASE);
			this.client.die("bbbbbbbbbbbbbbbb:" + i);
		}
		listening(SECOND);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.owner()).isEqualTo(SECOND);
		assertThat(this.client.exists(this.client.deadlines)).isFalse();
	}

	@Test
	void aReleaseThatFindsTooManyDeadWaitersLeavesTheLockToTheOthers() {
		long token = this.client.take(OWNER, LEASE);
		manyDead();
		ListeningJvm second = listening(SECOND);
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

	// ---- after the owner's death

	@Test
	void afterTheOwnersDeathATryOfAnotherCallerHandsTheLockToTheFirstWaiter() {
		this.client.take(OWNER, LEASE);
		ListeningJvm first = listening(FIRST);
		this.client.expire();
		List<Object> reply = this.client.acquire(STRANGER, LEASE, 0);
		assertThat(number(reply, 0)).isZero();
		assertThat(number(reply, 1)).isBetween(0L, ScriptClient.CLAIM_MILLIS);
		assertThat(this.client.owner()).isEqualTo(FIRST);
		assertThat(first.messages(1)).singleElement().asString().startsWith("grant " + FIRST);
	}

	@Test
	void afterTheOwnersDeathANewWaiterDoesNotOvertake() {
		this.client.take(OWNER, LEASE);
		listening(FIRST);
		listening(SECOND);
		this.client.expire();
		assertThat(number(this.client.queue(STRANGER, LEASE), 0)).isEqualTo(2);
		assertThat(this.client.owner()).isEqualTo(FIRST);
		assertThat(this.client.waiting()).containsExactly(SECOND, STRANGER);
	}

	@Test
	void afterTheOwnersDeathTheFirstWaiterOwnsTheLockByItsRequest() {
		this.client.take(OWNER, LEASE);
		listening(FIRST);
		listening(SECOND);
		this.client.expire();
		List<Object> reply = this.client.queueInFront(FIRST, LEASE);
		assertThat(number(reply, 0)).isOne();
		assertThat(number(reply, 3)).isOne();
		assertThat(this.client.remainingMillis(this.client.lock)).isGreaterThan(ScriptClient.CLAIM_MILLIS);
	}

	@Test
	void afterTheDeathOfAllEarlierOnesANewCallerOwnsTheLock() {
		this.client.take(OWNER, LEASE);
		this.client.queue(FIRST, LEASE);
		this.client.expire();
		List<Object> reply = this.client.acquire(STRANGER, LEASE, 0);
		assertThat(number(reply, 0)).isOne();
		assertThat(number(reply, 3)).isZero();
		assertThat(this.client.owner()).isEqualTo(STRANGER);
		assertThat(this.client.exists(this.client.queue)).isFalse();
	}

	// ---- tokens

	@Test
	void theNextTokenIsAboveTheHighestUsed() {
		this.client.take(OWNER, LEASE);
		long used = this.client.timeMicros() + 20_000_000;
		ListeningJvm first = listening(FIRST);
		this.client.release(OWNER, LEASE, used);
		assertThat(token(first)).isEqualTo(used + 1);
	}

	@Test
	void theTokensOfADeadOwnerAreSkippedForTheFirstWaiter() {
		long reserved = number(this.client.acquire(OWNER, LEASE, 0), 2);
		ListeningJvm first = listening(FIRST);
		this.client.expire();
		this.client.acquire(STRANGER, LEASE, 0);
		assertThat(token(first)).isGreaterThan(reserved);
	}

	@Test
	void noDigitOfAGrantedTokenIsLost() {
		this.client.take(OWNER, LEASE);
		ListeningJvm first = listening(FIRST);
		this.client.release(OWNER, LEASE, 8_765_432_109_876_542L);
		assertThat(token(first)).isEqualTo(8_765_432_109_876_543L);
		assertThat(this.client.lastToken()).isEqualTo("8765432109877543");
	}

	@Test
	void handOversLeaveTheTokenNearTheTimeOfRedis() {
		long token = this.client.take(OWNER, LEASE);
		String owner = OWNER;
		ListeningJvm jvm = this.client.listen(FIRST);
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
	private ListeningJvm listening(String owner) {
		this.client.queue(owner, LEASE);
		return this.client.listen(owner);
	}

	private static long token(ListeningJvm jvm) {
		return Long.parseLong(jvm.messages(1).get(0).split(" ")[2]);
	}

}
