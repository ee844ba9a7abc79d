package io.github.lockboot.engine;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.AcquireReply.Busy;
import io.github.lockboot.engine.store.LockStore.AcquireReply.Owned;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of {@link LockStore} for the engine.
 */
public abstract class LockStoreContract {

	private static final int ALL = Integer.MAX_VALUE;

	private static final long LEASE = 60_000;

	private static final long SHORT_LEASE = 100;

	/** As many names cover all slots of a cluster. */
	private static final int NAMES = 200_000;

	private final String lock = "contract:" + UUID.randomUUID();

	/** Owner ids have the form that the engine uses: instance and number. */
	private int owners;

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private @Nullable LockStore store;

	/** Return a store to test. */
	protected abstract LockStore newStore(MonotonicClock clock);

	/** Return the store under test, always the same one during a test. */
	protected final LockStore store() {
		if (this.store == null) {
			this.store = newStore(this.clock);
		}
		return this.store;
	}

	@AfterEach
	void close() {
		store().close();
		this.clock.close();
	}

	@Test
	void ownedLockIsBusyForAnotherUntilItsLeaseEnds() {
		acquire(attempt());
		AcquireReply reply = acquire(attempt());
		assertThat(reply).isInstanceOf(Busy.class);
		assumeLeaseOfLock();
		assertThat(((Busy) reply).remainingMillis()).isBetween(LEASE - 10_000, LEASE);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, ALL })
	void repeatedRequestIsHarmless(int holders) {
		LockAttempt attempt = sharing(holders);
		acquire(attempt);
		assertThat(acquire(attempt)).isInstanceOf(Owned.class);
		assertThat(release(attempt)).isEqualTo(ReleaseReply.RELEASED);
		assertThat(acquire(attempt())).isInstanceOf(Owned.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, ALL })
	void repeatedRequestForAShorterLeaseDoesNotShortenIt(int holders) {
		assumeLeaseOfLock();
		LockAttempt attempt = sharing(holders);
		acquire(attempt);
		acquire(attempt.withLeaseMillis(SHORT_LEASE * 10));
		assertThat(acquire(attempt())).isInstanceOfSatisfying(Busy.class,
				(busy) -> assertThat(busy.remainingMillis()).isGreaterThan(LEASE - 10_000));
	}

	@Test
	void releasedLockIsFree() {
		LockAttempt attempt = attempt();
		acquire(attempt);
		assertThat(release(attempt)).isEqualTo(ReleaseReply.RELEASED);
		assertThat(release(attempt)).isEqualTo(ReleaseReply.NOT_OWNER);
		assertThat(acquire(attempt())).isInstanceOf(Owned.class);
	}

	@Test
	void releaseOfAFreeLockIsNotOwned() {
		assertThat(release(attempt())).isEqualTo(ReleaseReply.NOT_OWNER);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, ALL })
	void leaseExpires(int holders) {
		assumeLeaseOfLock();
		acquire(sharing(holders).withLeaseMillis(SHORT_LEASE));
		awaitOwned(attempt());
	}

	@Test
	void releaseAfterTheLeaseDoesNotAffectTheNextOwner() {
		assumeLeaseOfLock();
		LockAttempt dead = attempt(SHORT_LEASE);
		acquire(dead);
		awaitOwned(attempt());
		assertThat(release(dead)).isEqualTo(ReleaseReply.NOT_OWNER);
		assertThat(acquire(attempt())).isInstanceOf(Busy.class);
	}

	@Test
	void renewalRestartsTheLease() {
		assumeLeaseOfLock();
		LockAttempt attempt = attempt(LEASE / 2);
		acquire(attempt);
		assertThat(get(store().renew(attempt.withLeaseMillis(LEASE)))).isInstanceOf(RenewReply.Renewed.class);
		assertThat(acquire(attempt())).isInstanceOfSatisfying(Busy.class,
				(busy) -> assertThat(busy.remainingMillis()).isGreaterThan(LEASE - 10_000));
	}

	@Test
	void renewalMayShortenTheLease() {
		assumeLeaseOfLock();
		LockAttempt attempt = attempt();
		acquire(attempt);
		// its reply may be too late, and a row may be locked for a moment
		Awaitility.await().until(() -> {
			store().renew(attempt.withLeaseMillis(SHORT_LEASE));
			Duration remaining = get(store().administration().inspect(this.lock)).remaining();
			return remaining == null || remaining.toMillis() <= SHORT_LEASE;
		});
		awaitOwned(attempt());
	}

	@Test
	void renewalByForeignOwnerChangesNothing() {
		assumeLeaseOfLock();
		acquire(attempt(SHORT_LEASE));
		assertThat(get(store().renew(attempt()))).isInstanceOf(RenewReply.NotOwner.class);
		awaitOwned(attempt());
	}

	@Test
	void renewalOfAFreeLockDoesNotAcquireIt() {
		assertThat(get(store().renew(attempt()))).isInstanceOf(RenewReply.NotOwner.class);
		assertThat(acquire(attempt())).isInstanceOf(Owned.class);
	}

	@Test
	void tokenIsHigherThanAnyThatThisJvmHasSeen() {
		long seen = 5_000_000_000_000_000L;
		assertThat(((Owned) get(store().acquire(attempt(), seen, Queueing.NO, 0))).token()).isGreaterThan(seen);
	}

	@Test
	void tokenIsHigherThanAllThatWereIssuedLocally() {
		LockAttempt first = attempt();
		long used = owned(first).token() + 1000;
		release(first, used);
		assertThat(owned(attempt()).token()).isGreaterThan(used);
	}

	/** A store of several servers subtracts an allowance for differing clocks. */
	@Test
	void ownerMayIssueATokenForEachMicrosecondOfTheNextSecond() {
		assumeLeaseOfLock();
		Owned owned = owned(attempt());
		assertThat(owned.reserved() - owned.token()).isGreaterThanOrEqualTo(900_000);
	}

	@Test
	void reservedTokensOfADeadOwnerAreSkipped() {
		assumeLeaseOfLock();
		Owned dead = owned(attempt(SHORT_LEASE));
		assertThat(awaitOwned(attempt()).token()).isGreaterThan(dead.reserved());
	}

	@Test
	void lockThatIsReleasedLaterStaysHeldForThatTimeAndThenHasAHigherToken() {
		LockAttempt attempt = attempt();
		long used = owned(attempt).token() + 7;
		assertThat(get(store().release(attempt, used, SHORT_LEASE))).isEqualTo(ReleaseReply.RELEASED);
		assertThat(awaitOwned(attempt()).token()).isGreaterThan(used);
	}

	@Test
	void renewalThatIsUnderWayDoesNotExtendALockThatIsReleasedLater() {
		LockAttempt attempt = attempt();
		long used = owned(attempt).token();
		store().renew(attempt);
		get(store().release(attempt, used, SHORT_LEASE));
		assertThat(awaitOwned(attempt()).token()).isGreaterThan(used);
	}

	@ParameterizedTest
	@CsvSource({ "false,0", "false,100", "true,0", "true,100" })
	void releaseOfAForeignLockChangesNothingWhetherOrNotTheAttemptWaits(boolean waits, long keptMillis) {
		LockAttempt owner = attempt();
		owned(owner);
		LockAttempt other = attempt();
		get(store().acquire(other, 0, waits ? Queueing.TAIL : Queueing.NO, 0));
		assertThat(get(store().release(other, 0, keptMillis))).isEqualTo(ReleaseReply.NOT_OWNER);
		assertThat(acquire(attempt())).isInstanceOf(Busy.class);
		assertThat(release(owner)).isEqualTo(ReleaseReply.RELEASED);
		assertThat(acquire(attempt())).isInstanceOf(Owned.class);
	}

	@Test
	void renewalReservesFurtherTokens() {
		assumeLeaseOfLock();
		LockAttempt attempt = attempt();
		Owned owned = owned(attempt);
		RenewReply reply = get(store().renew(attempt.withLeaseMillis(LEASE * 2)));
		assertThat(reply).isInstanceOfSatisfying(RenewReply.Renewed.class,
				(renewed) -> assertThat(renewed.reserved()).isGreaterThan(owned.reserved()));
	}

	@Test
	void manyShareALock() {
		acquire(sharing(ALL));
		assertThat(acquire(sharing(ALL))).isInstanceOf(Owned.class);
	}

	@Test
	void sharedHolderExcludesAnExclusiveAttempt() {
		acquire(sharing(ALL));
		assertThat(acquire(attempt())).isInstanceOf(Busy.class);
	}

	@Test
	void exclusiveHolderExcludesASharedAttempt() {
		acquire(attempt());
		assertThat(acquire(sharing(ALL))).isInstanceOf(Busy.class);
	}

	@Test
	void sharedLockIsFreeWhenTheLastHolderReleasesIt() {
		LockAttempt first = sharing(ALL);
		LockAttempt second = sharing(ALL);
		acquire(first);
		acquire(second);
		assertThat(release(first)).isEqualTo(ReleaseReply.RELEASED);
		assertThat(acquire(attempt())).isInstanceOf(Busy.class);
		assertThat(release(second)).isEqualTo(ReleaseReply.RELEASED);
		assertThat(acquire(attempt())).isInstanceOf(Owned.class);
	}

	@Test
	void nonHolderCanNeitherRenewNorReleaseASharedLock() {
		acquire(sharing(ALL));
		assertThat(get(store().extend(attempt(), false))).isInstanceOf(RenewReply.NotOwner.class);
		LockAttempt stranger = sharing(ALL);
		assertThat(get(store().renew(stranger))).isInstanceOf(RenewReply.NotOwner.class);
		assertThat(release(stranger)).isEqualTo(ReleaseReply.NOT_OWNER);
	}

	@Test
	void eachSharerHasItsOwnLease() {
		assumeLeaseOfLock();
		LockAttempt dead = sharing(ALL).withLeaseMillis(SHORT_LEASE);
		LockAttempt alive = sharing(ALL);
		acquire(dead);
		acquire(alive);
		Awaitility.await()
			.pollInterval(Duration.ofMillis(3 * SHORT_LEASE))
			.ignoreExceptions() // a reply may be too late for such a short lease
			.until(() -> get(store().renew(dead)) instanceof RenewReply.NotOwner);
		assertThat(get(store().renew(alive))).isInstanceOf(RenewReply.Renewed.class);
	}

	@Test
	void permitsAreCounted() {
		Assumptions.assumeTrue(store().traits().kinds().contains(StoreTraits.Kind.PERMITS));
		LockAttempt first = sharing(2);
		acquire(first);
		acquire(sharing(2));
		assertThat(acquire(sharing(2))).isInstanceOf(Busy.class);
		release(first);
		assertThat(acquire(sharing(2))).isInstanceOf(Owned.class);
	}

	@Test
	void attemptAppliesItsOwnNumberOfPermits() {
		Assumptions.assumeTrue(store().traits().kinds().contains(StoreTraits.Kind.PERMITS));
		acquire(sharing(2));
		acquire(sharing(2));
		assertThat(acquire(sharing(3))).isInstanceOf(Owned.class);
		assertThat(acquire(sharing(3))).isInstanceOf(Busy.class);
	}

	@Test
	void repeatedRequestOfASharerIsHarmlessThoughOthersWithMorePermitsHaveJoined() {
		Assumptions.assumeTrue(store().traits().kinds().contains(StoreTraits.Kind.PERMITS));
		LockAttempt first = sharing(2);
		acquire(first);
		acquire(sharing(2));
		acquire(sharing(3));
		assertThat(acquire(first)).isInstanceOf(Owned.class);
		assertThat(get(store().renew(first))).isInstanceOf(RenewReply.Renewed.class);
		assertThat(get(store().administration().inspect(this.lock)).holders()).isEqualTo(3);
	}

	@Test
	void sharingALockChangesNoToken() {
		LockAttempt writer = attempt();
		long token = owned(writer).token();
		release(writer, token);
		assertThat(owned(sharing(ALL)).token()).isGreaterThanOrEqualTo(token);
	}

	@Test
	void nextWritersTokenIsHigherThanThatOfTheReaders() {
		LockAttempt reader = sharing(ALL);
		long token = owned(reader).token();
		release(reader, token);
		assertThat(owned(attempt()).token()).isGreaterThan(token);
	}

	@Test
	void downgradedLockMayBeShared() {
		LockAttempt writer = attempt();
		long token = owned(writer).token();
		assertThat(get(store().downgrade(writer, token))).isInstanceOf(RenewReply.Renewed.class);
		assertThat(acquire(sharing(ALL))).isInstanceOf(Owned.class);
		assertThat(release(writer, token)).isEqualTo(ReleaseReply.RELEASED);
		assertThat(acquire(attempt())).isInstanceOf(Busy.class);
	}

	@Test
	void ownerThatDoesNotKnowItsTokenSharesTheLockWithALaterOne() {
		LockAttempt writer = attempt();
		long token = owned(writer).token();
		assertThat(get(store().downgrade(writer, 0))).isInstanceOf(RenewReply.Renewed.class);
		assertThat(owned(sharing(ALL)).token()).isGreaterThanOrEqualTo(token);
	}

	@Test
	void lockThatIsReleasedLaterWithoutATokenThenHasAHigherOne() {
		LockAttempt attempt = attempt();
		long token = owned(attempt).token();
		get(store().release(attempt, 0, SHORT_LEASE));
		assertThat(awaitOwned(attempt()).token()).isGreaterThan(token);
	}

	@Test
	void onlyTheOwnerDowngrades() {
		acquire(attempt());
		assertThat(get(store().downgrade(attempt(), 1))).isInstanceOf(RenewReply.NotOwner.class);
		assertThat(acquire(sharing(ALL))).isInstanceOf(Busy.class);
	}

	@Test
	void stateCountsTheHoldersThatShareALock() {
		acquire(sharing(ALL));
		acquire(sharing(ALL));
		assertThat(get(store().administration().inspect(this.lock)).holders()).isEqualTo(2);
	}

	@Test
	void forcedReleaseOfASharedLockAffectsAllHolders() {
		LockAttempt reader = sharing(ALL);
		acquire(reader);
		acquire(sharing(ALL));
		assertThat(get(store().administration().forceRelease(this.lock))).isTrue();
		assertThat(get(store().renew(reader))).isInstanceOf(RenewReply.NotOwner.class);
		assertThat(acquire(attempt())).isInstanceOf(Owned.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "}", "{", "}{", "{}", "a}b", "\\}", "ключ 鍵", " x ", "a:b:c", "line\nbreak" })
	void eachNameIsASeparateLock(String name) {
		LockAttempt odd = new LockAttempt(name + this.lock, "odd", LEASE, 1);
		assertThat(acquire(odd)).isInstanceOf(Owned.class);
		assertThat(acquire(attempt())).isInstanceOf(Owned.class);
		assertThat(release(odd)).isEqualTo(ReleaseReply.RELEASED);
	}

	/** Leases of a session end with it, and have no length of their own. */
	private void assumeLeaseOfLock() {
		Assumptions.assumeTrue(store().traits().leases() == StoreTraits.Leases.LOCK);
	}

	private LockAttempt attempt() {
		return attempt(LEASE);
	}

	private LockAttempt attempt(long leaseMillis) {
		return new LockAttempt(this.lock, "0e:" + this.owners++, leaseMillis, 1);
	}

	private LockAttempt sharing(int permits) {
		return new LockAttempt(this.lock, "0e:" + this.owners++, LEASE, permits);
	}

	private AcquireReply acquire(LockAttempt attempt) {
		return get(store().acquire(attempt, 0, Queueing.NO, 0));
	}

	private Owned owned(LockAttempt attempt) {
		return (Owned) acquire(attempt);
	}

	private Owned awaitOwned(LockAttempt attempt) {
		return (Owned) Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.pollInterval(Duration.ofMillis(10))
			.until(() -> acquire(attempt), Owned.class::isInstance);
	}

	private ReleaseReply release(LockAttempt attempt) {
		return release(attempt, 0);
	}

	/** Some stores also know that nobody waits. */
	private ReleaseReply release(LockAttempt attempt, long usedToken) {
		ReleaseReply reply = get(store().release(attempt, usedToken, 0));
		return (reply == ReleaseReply.UNAWAITED) ? ReleaseReply.RELEASED : reply;
	}

	private static <T> T get(CompletionStage<T> reply) {
		return reply.toCompletableFuture().join();
	}

}
