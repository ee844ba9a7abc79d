package io.github.lockboot.redis.redlock;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.AcquireReply.Busy;
import io.github.lockboot.engine.store.LockStore.AcquireReply.Owned;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The calls to three members, and the decision after their replies.
 */
class RedlockRoundsTests {

	private final List<ScriptedStore> members = Stream.generate(ScriptedStore::new).limit(3).toList();

	@AutoClose
	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final RedlockStore store = new RedlockStore(this.members, this.clock);

	private final LockAttempt owner = new LockAttempt("a", "jvm:1", 30_000, 1);

	@Test
	void allAreCalledAtOnceWithOneOwnerIdAndWithoutQueueing() {
		acquire();
		assertThat(this.members).allSatisfy((member) -> assertThat(member.queueings).containsExactly(Queueing.NO));
		assertThat(this.members).map(ScriptedStore::lastAcquired).containsOnly(this.members.get(0).lastAcquired());
	}

	@Test
	void aMajorityDecidesWithoutTheRest() {
		CompletableFuture<AcquireReply> reply = acquire();
		this.members.get(0).owned(100);
		assertThat(reply).isNotDone();
		this.members.get(2).owned(200);
		// both will exceed what the first one has reserved
		assertThat(reply).isCompletedWithValue(new Owned(200, 1_000_100, LockStore.UNKNOWN_QUEUE));
	}

	@Test
	void aBusyMajorityDecidesAndWonMembersAreReleased() {
		CompletableFuture<AcquireReply> reply = acquire();
		this.members.get(0).owned(100);
		this.members.get(1).busy(500);
		this.members.get(2).busy(700);
		assertThat(reply.join()).isEqualTo(new Busy(500));
		assertThat(this.members.get(0).released).containsExactly(this.members.get(0).lastAcquired());
		assertThat(this.members.get(1).released).isEmpty();
	}

	@Test
	void aLateSuccessIsReleased() {
		acquire();
		this.members.get(1).busy(500);
		this.members.get(2).busy(700);
		int before = this.members.get(0).released.size();
		this.members.get(0).owned(100);
		assertThat(this.members.get(0).released.size()).isGreaterThan(before);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theNextRoundAfterABusyOneOrAFailureHasAnotherOwnerIdThatALateReleaseDoesNotAffect(boolean busy) {
		acquire();
		this.members.forEach(busy ? (member) -> member.busy(500) : ScriptedStore::fail);
		LockAttempt first = this.members.get(0).lastAcquired();
		acquire();
		assertThat(this.members.get(0).lastAcquired().id()).isNotEqualTo(first.id());
	}

	@Test
	void aWonRoundKeepsItsOwnerId() {
		acquire();
		this.members.forEach((member) -> member.owned(100));
		LockAttempt first = this.members.get(0).lastAcquired();
		acquire();
		assertThat(this.members.get(0).lastAcquired()).isEqualTo(first);
		this.members.forEach((member) -> member.owned(100));
		this.store.release(this.owner, 100, 0);
		assertThat(this.members).allSatisfy((member) -> assertThat(member.released).containsExactly(first));
	}

	@ParameterizedTest
	@ValueSource(longs = { 105, 0 })
	void aReleaseSetsTheTokensOfTheMajorityBackToTheLastOne(long used) {
		acquire();
		this.members.forEach((member) -> member.owned(100));
		this.store.release(this.owner, used, 0);
		assertThat(this.members).allSatisfy((member) -> assertThat(member.usedTokens).containsExactly(used));
	}

	/** It may have granted later rounds, before the request of this one reached it. */
	@Test
	void aReleaseSetsNoTokenBackBelowTheOneThatALateMemberHasGranted() {
		acquire();
		this.members.get(0).owned(100);
		this.members.get(1).owned(100);
		this.store.release(this.owner, 100, 0);
		assertThat(this.members.get(2).released).isEmpty();
		this.members.get(2).owned(900);
		assertThat(this.members.get(2).usedTokens).containsExactly(900L);
		assertThat(this.members.get(0).usedTokens).containsExactly(100L);
	}

	/** The request may reach the member up to a second after the first release. */
	@Test
	void aMemberThatHasNotRepliedIsReleasedOnceMoreAndSetsNoTokenBack() {
		acquire();
		this.members.get(0).owned(100);
		this.members.get(1).owned(100);
		this.members.get(2).fail();
		this.store.release(this.owner, 100, 10);
		Awaitility.await().untilAsserted(() -> assertThat(this.members.get(2).usedTokens).containsExactly(0L, 0L, 0L));
	}

	@Test
	void aSilentMajorityIsAFailureAndNotBusy() {
		CompletableFuture<AcquireReply> reply = acquire();
		this.members.get(0).fail();
		this.members.get(1).fail();
		assertThat(reply).isCompletedExceptionally();
		this.members.get(2).fail();
		assertThat(this.members).allSatisfy((member) -> assertThat(member.released).isNotEmpty());
	}

	@Test
	void aReleaseThatAMemberMissesIsRepeatedThereWithTheSameOwnerId() {
		acquire();
		this.members.forEach((member) -> member.owned(100));
		ScriptedStore third = this.members.get(2);
		third.failsToRelease = true;
		assertThat(this.store.release(this.owner, 100, 0)).isCompletedWithValue(ReleaseReply.RELEASED);
		Awaitility.await().until(() -> third.released.size() > 2);
		third.failsToRelease = false;
		Awaitility.await().until(() -> third.confirmed == 1);
		assertThat(third.released).containsOnly(third.lastAcquired());
	}

	@Test
	void aReleaseAfterAMinimumHoldTimeIsRepeatedWhereItIsMissedEvenByAMajority() {
		acquire();
		this.members.forEach((member) -> member.owned(100));
		this.members.forEach((member) -> member.failsToRelease = true);
		assertThat(this.store.release(this.owner, 100, 10)).isCompletedExceptionally();
		this.members.forEach((member) -> member.failsToRelease = false);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.members).map((member) -> member.confirmed).containsOnly(1));
	}

	@Test
	void aRoundWithoutAMajorityIsReleasedByItsOwnerIdOnly() {
		CompletableFuture<AcquireReply> reply = acquire();
		this.members.get(0).busy(500);
		this.members.get(1).busy(500);
		assertThat(reply).isCompleted();
		this.store.release(this.owner, 0, 0);
		ScriptedStore third = this.members.get(2);
		third.fail();
		assertThat(third.released).containsExactly(third.lastAcquired());
		assertThat(this.members.get(0).released).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void aLockThatAMajorityHasLostIsReleasedAtTheOthers(int lost) {
		acquire();
		this.members.forEach((member) -> member.owned(100));
		this.members.subList(lost, 3).forEach((member) -> member.renewal = new RenewReply.Renewed(200, 0));
		assertThat(this.store.renew(this.owner))
			.isCompletedWithValueMatching((reply) -> (reply instanceof RenewReply.Renewed) == (lost < 2));
		assertThat(this.members).map((member) -> member.released.size()).containsExactly(0, 0, lost - 1);
	}

	@Test
	void aTokenThatTooFewMembersHaveIsWrittenBackFirst() {
		CompletableFuture<AcquireReply> reply = acquire();
		this.members.get(0).owned(50_000_000);
		this.members.get(1).owned(100);
		assertThat(reply).isNotDone();
		assertThat(this.members).allSatisfy((member) -> assertThat(member.seenTokens).containsExactly(0L, 50_000_000L));
		this.members.get(0).owned(50_000_001);
		this.members.get(1).owned(50_000_001);
		assertThat(reply).isCompletedWithValueMatching(
				(owned) -> owned instanceof Owned won && won.token() == 50_000_000 && won.reserved() > 50_000_000);
	}

	@Test
	void aListThatTheMembersRefuseIsRefusedForTheirReason() {
		try (LockTemplate locks = new LockTemplate(this.store, this.clock, LockDefaults.defaults(), List.of())) {
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> locks.list("*", null, 10))
				.withMessage("too many keys");
		}
	}

	private CompletableFuture<AcquireReply> acquire() {
		return this.store.acquire(this.owner, 0, Queueing.TAIL, 0).toCompletableFuture();
	}

}
