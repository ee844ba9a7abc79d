package io.github.lockboot.faults;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The model that checks a run, on made-up histories. One unit of time is a nanosecond.
 */
class RulesTests {

	private static final Set<String> ORDERS = Set.of("orders");

	private final History history = new History();

	@Test
	void anOrderlyHistoryKeepsAllRules() {
		open("a", 10, 1, 100, 200, 0);
		leave("a", 10, 1, 150, true, 0);
		open("b", 11, 1, 160, 260, 1);
		open("b", 11, 2, 170, 260, 1);
		leave("b", 11, 2, 180, true, 1);
		leave("b", 11, 1, 190, true, -1);
		assertThat(Rule.all()).allSatisfy((rule) -> assertThat(violations(rule)).isEmpty());
	}

	@Test
	void twoValidLeasesAtOnceAreFound() {
		open("a", 10, 1, 100, 200, 0);
		open("b", 11, 1, 120, 220, 0);
		leave("a", 10, 1, 130, true, 0);
		assertThat(violations(new MutualExclusion())).singleElement().asString().contains("orders a 10", "orders b 11");
	}

	@Test
	void aShortLeaseWithinALongOneIsFoundBehindOthers() {
		open("a", 10, 1, 100, 900, 0);
		open("b", 11, 1, 910, 920, 0);
		leave("b", 11, 1, 915, true, 0);
		leave("a", 10, 1, 950, true, 0);
		assertThat(violations(new MutualExclusion())).hasSize(1);
	}

	@Test
	void whoWasKilledKeepsTheLeaseThatWasPromised() {
		open("killed", 10, 1, 100, 200, 0);
		open("b", 11, 1, 199, 299, 0);
		assertThat(violations(new MutualExclusion())).hasSize(1);
	}

	@Test
	void whoLostALeaseHadItAsLongAsItWasPromised() {
		open("lost", 10, 1, 100, 200, 0);
		open("b", 11, 1, 190, 290, 0);
		leave("lost", 10, 1, 400, false, 0);
		assertThat(violations(new MutualExclusion())).hasSize(1);
	}

	@Test
	void theNextMayComeWhenAPromiseIsOver() {
		open("killed", 10, 1, 100, 200, 0);
		open("b", 11, 1, 201, 300, 0);
		assertThat(violations(new MutualExclusion())).isEmpty();
	}

	@Test
	void whatCannotBeOrderedIsNoViolation() {
		this.history.add(Entry.parse("open orders a 10 1 1 90 100 140 200 1 0"));
		this.history.add(Entry.parse("open orders b 11 1 1 90 120 160 220 1 0"));
		assertThat(violations(new MutualExclusion())).isEmpty();
		assertThat(violations(new GrowingTokens())).isEmpty();
	}

	@Test
	void locksOfDifferentNamesDoNotExcludeEachOther() {
		open("a", 10, 1, 100, 200, 0);
		this.history.add(Entry.parse("open stock b 9 1 1 110 120 120 220 1 0"));
		assertThat(violations(new MutualExclusion())).isEmpty();
		assertThat(violations(new GrowingTokens())).isEmpty();
	}

	@Test
	void aForgottenLeaseExcludesNobody() {
		open("a", 10, 1, 100, 200, 0);
		this.history.add(new Amnesia(ORDERS, 110, 120));
		open("b", 11, 1, 130, 230, 0);
		assertThat(violations(new MutualExclusion())).isEmpty();
	}

	@Test
	void aLeaseThatWasForgottenBeforeItBeganExcludesNobody() {
		open("a", 10, 1, 130, 230, 0);
		this.history.add(Entry.parse("open orders b 11 1 1 115 140 140 240 1 0"));
		this.history.add(new Amnesia(ORDERS, 110, 120));
		assertThat(violations(new MutualExclusion())).isEmpty();
	}

	@Test
	void tokensOfTwoServersGrowFromOneLeaseToTheNextOnly() {
		long lease = FaultRun.LEASE.toNanos();
		this.history.add(new Amnesia(ORDERS, 50, 3 * lease));
		open("a", 11, 1, 100, 200, 0);
		open("b", 10, 1, lease, 2 * lease, 0);
		assertThat(violations(new GrowingTokens())).isEmpty();
		open("c", 9, 1, 2 * lease, 3 * lease, 0);
		assertThat(violations(new GrowingTokens())).hasSize(1);
	}

	@Test
	void aLeaseThatAnotherServerHasForgottenExcludesOthers() {
		open("a", 10, 1, 100, 200, 0);
		this.history.add(new Amnesia(Set.of("stock"), 110, 120));
		open("b", 11, 1, 130, 230, 0);
		assertThat(violations(new MutualExclusion())).hasSize(1);
	}

	@Test
	void whoHoldsALockThoughNobodyCouldRenewItIsFound() {
		long lease = FaultRun.LEASE.toNanos();
		this.history.add(new Silence(ORDERS, 200, 300 + lease));
		open("a", 10, 1, 100, 100 + lease, 0);
		leave("a", 10, 1, 250 + lease, true, 0);
		assertThat(violations(new ToldLosses())).singleElement().asString().contains("orders a 10");
	}

	@Test
	void whoRenewsALeaseThatTheStoreHasForgottenIsFound() {
		long lease = FaultRun.LEASE.toNanos();
		open("a", 10, 1, 100, 100 + lease, 0);
		this.history.add(new Gone(ORDERS, 110, 120));
		leave("a", 10, 1, 130 + lease, true, 0);
		open("b", 11, 1, 140 + lease, 240 + 2 * lease, 1);
		leave("b", 11, 1, 130 + 2 * lease, true, 1);
		assertThat(violations(new ToldLosses())).singleElement().asString().contains("orders a 10");
	}

	@Test
	void moreHoldersThanMayShareALockAreFound() {
		share("a", 2, 100, 200);
		share("b", 2, 120, 220);
		assertThat(violations(new MutualExclusion())).isEmpty();
		share("c", 2, 130, 230);
		share("d", 2, 225, 325);
		assertThat(violations(new MutualExclusion())).singleElement().asString().contains("More than 2", "orders c 10");
	}

	@Test
	void whoHasALockAloneExcludesThoseWhoShareIt() {
		share("a", Integer.MAX_VALUE, 100, 200);
		share("b", Integer.MAX_VALUE, 110, 210);
		open("c", 11, 1, 205, 305, 0);
		assertThat(violations(new MutualExclusion())).singleElement().asString().contains("Two leases", "orders c 11");
	}

	@Test
	void aTokenMayStayTheSameForThoseWhoShareALockOnly() {
		open("a", 10, 1, 100, 110, 0);
		share("b", 2, 120, 130);
		share("c", 2, 140, 150);
		assertThat(violations(new GrowingTokens())).isEmpty();
		open("d", 10, 1, 160, 170, 0);
		assertThat(violations(new GrowingTokens())).hasSize(2);
	}

	@Test
	void aLockThatIsTakenByForceExcludesNobody() {
		open("a", 10, 1, 100, 200, 0);
		this.history.add(Entry.parse("force orders b 0 0 1 110 120"));
		open("b", 11, 1, 130, 230, 0);
		assertThat(violations(new MutualExclusion())).isEmpty();
	}

	@Test
	void whoIsToldThatALockIsLostInASilenceIsNoViolation() {
		long lease = FaultRun.LEASE.toNanos();
		this.history.add(new Silence(ORDERS, 200, 300 + lease));
		open("a", 10, 1, 100, 100 + lease, 0);
		leave("a", 10, 1, 250 + lease, false, 0);
		open("b", 11, 1, 350 + lease, 400 + lease, 0);
		leave("b", 11, 1, 360 + lease, true, 0);
		assertThat(violations(new ToldLosses())).isEmpty();
	}

	@Test
	void aLeaseOfAfterTheDataWereLostExcludesOthers() {
		this.history.add(new Amnesia(ORDERS, 50, 60));
		open("a", 10, 1, 100, 200, 0);
		open("b", 11, 1, 130, 230, 0);
		assertThat(violations(new MutualExclusion())).hasSize(1);
	}

	@Test
	void aTokenThatGoesBackIsFoundEvenAfterTheDataWereLost() {
		open("a", 10, 1, 100, 200, 0);
		this.history.add(new Amnesia(ORDERS, 110, 120));
		open("b", 9, 1, 300, 400, 0);
		assertThat(violations(new GrowingTokens())).singleElement().asString().contains("does not grow");
	}

	@Test
	void aLowerTokenOfOneWhoSharesALockIsFoundUnlessTheLeaseBeforeMayBeForgotten() {
		open("a", 11, 1, 100, 200, 0);
		share("b", 3, 300, 400);
		assertThat(violations(new GrowingTokens())).singleElement().asString().contains("does not grow");
		this.history.add(new Amnesia(ORDERS, 110, 120));
		assertThat(violations(new GrowingTokens())).isEmpty();
	}

	@Test
	void aTokenThatIsGivenOutTwiceIsFoundEvenAtTheSameTime() {
		this.history.add(Entry.parse("open orders a 10 1 1 90 100 140 200 1 0"));
		this.history.add(Entry.parse("open orders b 10 1 1 90 120 160 220 1 0"));
		assertThat(violations(new GrowingTokens())).singleElement().asString().contains("twice");
	}

	@Test
	void anUpdateThatTheFenceLetsPassAndThatIsLostIsFound() {
		open("a", 10, 1, 100, 200, 0);
		open("b", 10, 1, 110, 210, 0);
		leave("a", 10, 1, 120, true, 0);
		leave("b", 10, 1, 130, true, 0);
		assertThat(violations(new FencedMutex())).singleElement().asString().contains("lost");
	}

	@Test
	void anUpdateThatTheFenceRefusesIsNoViolation() {
		open("a", 10, 1, 100, 200, 0);
		open("b", 11, 1, 210, 310, 0);
		leave("b", 11, 1, 220, true, 0);
		this.history.add(Entry.parse("leave orders a 10 1 1 400 0 0 0"));
		assertThat(violations(new FencedMutex())).isEmpty();
	}

	@Test
	void aFenceThatLetsAnOldTokenPassIsFound() {
		open("b", 11, 1, 210, 310, 0);
		leave("b", 11, 1, 220, true, 0);
		leave("a", 10, 1, 230, true, 1);
		assertThat(violations(new FencedMutex())).singleElement().asString().contains("did not work");
	}

	@Test
	void enteringAgainByAnotherTokenIsFound() {
		open("a", 10, 1, 100, 200, 0);
		open("a", 11, 2, 110, 210, 0);
		assertThat(violations(new ReentrantMutex())).hasSize(1);
	}

	@Test
	void enteringAgainWhatSomebodyElseHoldsIsFound() {
		open("a", 10, 1, 100, 200, 0);
		open("b", 10, 2, 110, 210, 0);
		assertThat(violations(new ReentrantMutex())).hasSize(1);
	}

	@Test
	void anInnerHoldThatOutlivesTheOuterOneIsFound() {
		open("a", 10, 1, 100, 200, 0);
		open("a", 10, 2, 110, 210, 0);
		leave("a", 10, 1, 120, true, -1);
		assertThat(violations(new ReentrantMutex())).hasSize(1);
	}

	@Test
	void anOuterHoldWithinAnOuterHoldIsFound() {
		open("a", 10, 1, 100, 200, 0);
		open("a", 11, 1, 110, 210, 0);
		assertThat(violations(new ReentrantMutex())).hasSize(1);
	}

	@Test
	void oneThatIsServedBeforeOneThatHadQueuedIsFound() {
		wait("a:1", 11, 100, 110, 200);
		wait("b:1", 10, 120, 130, 190);
		assertThat(violations(new FairOrder())).singleElement().asString().contains("orders b:1 10", "orders a:1 11");
	}

	@Test
	void thoseOfWhichItIsNotKnownWhoQueuedFirstHaveNoOrder() {
		wait("a:1", 11, 100, 130, 200);
		wait("b:1", 10, 120, 125, 190);
		wait("c:1", 9, 90, Long.MAX_VALUE, 150);
		assertThat(violations(new FairOrder())).isEmpty();
	}

	@Test
	void oneThatIsServedBeforeAnotherOneInAFaultIsNoViolation() {
		wait("a:1", 11, 100, 110, 200);
		wait("b:1", 10, 120, 130, 190);
		wait("a:2", 9, 140, 150, 170);
		this.history.add(new Disorder(150, 160, false));
		assertThat(violations(new FairOrder())).singleElement().asString().contains("orders a:2 9", "orders a:1 11");
		this.history.add(new Disorder(150, 160, true));
		assertThat(violations(new FairOrder())).isEmpty();
	}

	@Test
	void oneWhoseJvmCouldNotBeToldOfAGrantKeepsItsPlaceBeforeThoseOfItsJvmOnly() {
		this.history.add(Entry.parse("wait orders a:1 12 1 1 100 110 200 1"));
		wait("b:1", 11, 120, 130, 190);
		assertThat(violations(new FairOrder())).isEmpty();
		wait("a:2", 10, 125, 150, 170);
		assertThat(violations(new FairOrder())).hasSize(1);
	}

	@Test
	void oneThatCameAfterAFaultHasToWait() {
		wait("a:1", 11, 100, 110, 200);
		wait("b:1", 10, 120, 130, 190);
		this.history.add(new Disorder(50, 90, true));
		assertThat(violations(new FairOrder())).hasSize(1);
	}

	@Test
	void figuresOfAHistoryCountLossesAndRefusals() {
		open("a", 10, 1, 100, 200, 0);
		this.history.add(Entry.parse("leave orders a 10 1 1 400 0 0 0"));
		assertThat(this.history.holds()).isOne();
		assertThat(this.history.losses()).isOne();
		assertThat(this.history.refusals()).isOne();
	}

	private void open(String actor, long token, int depth, long since, long promised, long value) {
		this.history.add(Entry.parse("open orders " + actor + " " + token + " " + depth + " 1 " + (since - 10) + " "
				+ since + " " + since + " " + promised + " 1 " + value));
	}

	private void share(String actor, int limit, long since, long promised) {
		this.history.add(Entry.parse("open orders " + actor + " 10 1 " + limit + " " + (since - 10) + " " + since + " "
				+ since + " " + promised + " 1 0"));
	}

	private void wait(String attempt, long token, long sent, long queued, long owned) {
		this.history.add(Entry
			.parse("wait orders " + attempt + " " + token + " 1 1 " + sent + " " + queued + " " + owned + " 0"));
	}

	private void leave(String actor, long token, int depth, long at, boolean held, long from) {
		this.history.add(Entry.parse("leave orders " + actor + " " + token + " " + depth + " 1 " + at + " "
				+ (held ? 1 : 0) + " " + from + " 1"));
	}

	private List<String> violations(Rule rule) {
		return rule.violations(this.history).toList();
	}

}
