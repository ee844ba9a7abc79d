package io.github.lockboot.faults;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the rules with made-up histories. The unit of time is a nanosecond.
 */
class RulesTests {

	private static final Set<String> ORDERS = Set.of("orders");

	private static final Map<String, Rule> RULES = Stream.<Rule>of(new MonotonicTokens(), new MutualExclusion())
		.collect(Collectors.toMap((rule) -> rule.getClass().getSimpleName(), (rule) -> rule));

	private final History history = new History();

	/** The steps are those of {@link #step}; the last column is in the only violation. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					two leases that are valid at once | MutualExclusion | start a 10 1 100 200; start b 11 1 120 220; end a 10 1 130 true | orders a 10, orders b 11
					a short lease during a long one | MutualExclusion | start a 10 1 100 900; start b 11 1 910 920; end b 11 1 915 true; end a 10 1 950 true | orders
					a killed holder keeps its lease until the promised end | MutualExclusion | start killed 10 1 100 200; start b 11 1 199 299 | orders
					a lost lease counts until its promised end | MutualExclusion | start lost 10 1 100 200; start b 11 1 190 290; end lost 10 1 400 false | orders
					the next hold may start after the promised end | MutualExclusion | start killed 10 1 100 200; start b 11 1 201 300 |
					a lost lease excludes nobody | MutualExclusion | start a 10 1 100 200; lost 110 120; start b 11 1 130 230 |
					a lease that was lost before it started excludes nobody | MutualExclusion | start a 10 1 130 230; start orders b 11 1 1 115 140 140 240; lost 110 120 |
					a force released lock excludes nobody | MutualExclusion | start a 10 1 100 200; force orders b 0 0 1 110 120; start b 11 1 130 230 |
					a lease that started after a data loss excludes others | MutualExclusion | lost 50 60; start a 10 1 100 200; start b 11 1 130 230 | orders
					a lower token even after a data loss | MonotonicTokens | start a 10 1 100 200; lost 110 120; start b 9 1 300 400 | does not grow
					a duplicate token even of overlapping holds | MonotonicTokens | start orders a 10 1 1 90 100 140 200; start orders b 10 1 1 90 120 160 220 | twice
					""")
	void aHistoryFulfilsOrBreaksARule(String name, String rule, String steps, @Nullable String violation) {
		Stream.of(steps.split("; ")).forEach(this::step);
		List<String> violations = violations(Objects.requireNonNull(RULES.get(rule)));
		if (violation == null) {
			assertThat(violations).isEmpty();
		}
		else {
			assertThat(violations).singleElement().asString().contains(violation.split(", "));
		}
	}

	/** Adds a line of a history, in a short or in the whole form, or a loss of data. */
	private void step(String step) {
		String[] words = step.split(" ");
		long[] numbers = Stream.of(words)
			.mapToLong((word) -> word.matches("-?\\d+") ? Long.parseLong(word) : 0)
			.toArray();
		switch (words[0] + words.length) {
			case "start6" -> start(words[1], numbers[2], (int) numbers[3], numbers[4], numbers[5]);
			case "end6" -> end(words[1], numbers[2], (int) numbers[3], numbers[4], words[5].equals("true"));
			case "lost3" -> this.history.add(new DataLossWindow(ORDERS, numbers[1], numbers[2], false));
			default -> this.history.add(Entry.parse(step));
		}
	}

	@Test
	void aCorrectHistoryFulfilsAllRules() {
		start("a", 10, 1, 100, 200);
		end("a", 10, 1, 150, true);
		start("b", 11, 1, 160, 260);
		start("b", 11, 2, 170, 260);
		end("b", 11, 2, 180, true);
		end("b", 11, 1, 190, true);
		assertThat(Rule.all()).allSatisfy((rule) -> assertThat(violations(rule)).isEmpty());
	}

	@Test
	void holdsOfUnknownOrderAreNoViolation() {
		this.history.add(Entry.parse("start orders a 10 1 1 90 100 140 200"));
		this.history.add(Entry.parse("start orders b 11 1 1 90 120 160 220"));
		assertThat(violations(new MutualExclusion())).isEmpty();
		assertThat(violations(new MonotonicTokens())).isEmpty();
	}

	@Test
	void locksOfDifferentNamesDoNotExcludeEachOther() {
		start("a", 10, 1, 100, 200);
		this.history.add(Entry.parse("start stock b 9 1 1 110 120 120 220"));
		assertThat(violations(new MutualExclusion())).isEmpty();
		assertThat(violations(new MonotonicTokens())).isEmpty();
	}

	@Test
	void tokensOfTwoServersMayOverlapOnlyWhileLeasesMayBeLost() {
		long lease = FaultRun.LEASE.toNanos();
		this.history.add(new DataLossWindow(ORDERS, 50, 3 * lease, false));
		start("a", 11, 1, 100, 200);
		start("b", 10, 1, lease, 2 * lease);
		assertThat(violations(new MonotonicTokens())).isEmpty();
		start("c", 9, 1, 2 * lease, 3 * lease);
		assertThat(violations(new MonotonicTokens())).hasSize(1);
	}

	@Test
	void aDataLossOfAnotherServerEndsNoLease() {
		start("a", 10, 1, 100, 200);
		this.history.add(new DataLossWindow(Set.of("stock"), 110, 120, false));
		start("b", 11, 1, 130, 230);
		assertThat(violations(new MutualExclusion())).hasSize(1);
	}

	@Test
	void aHoldThatOutlivesItsLeaseInAnOutageIsAViolation() {
		long lease = FaultRun.LEASE.toNanos();
		this.history.add(new OutageWindow(ORDERS, 200, 300 + lease));
		start("a", 10, 1, 100, 100 + lease);
		end("a", 10, 1, 250 + lease, true);
		assertThat(violations(new LossDetection())).singleElement().asString().contains("orders a 10");
	}

	@Test
	void aHoldThatOutlivesAnInvalidatedLeaseIsAViolation() {
		long lease = FaultRun.LEASE.toNanos();
		start("a", 10, 1, 100, 100 + lease);
		this.history.add(new LeaseInvalidation(ORDERS, 110, 120));
		end("a", 10, 1, 130 + lease, true);
		start("b", 11, 1, 140 + lease, 240 + 2 * lease);
		end("b", 11, 1, 130 + 2 * lease, true);
		assertThat(violations(new LossDetection())).singleElement().asString().contains("orders a 10");
	}

	@Test
	void moreHoldersThanTheLimitAreAViolation() {
		startShared("a", 2, 100, 200);
		startShared("b", 2, 120, 220);
		assertThat(violations(new MutualExclusion())).isEmpty();
		startShared("c", 2, 130, 230);
		startShared("d", 2, 225, 325);
		assertThat(violations(new MutualExclusion())).singleElement().asString().contains("More than 2", "orders c 10");
	}

	@Test
	void anExclusiveHoldExcludesSharedOnes() {
		startShared("a", Integer.MAX_VALUE, 100, 200);
		startShared("b", Integer.MAX_VALUE, 110, 210);
		start("c", 11, 1, 205, 305);
		assertThat(violations(new MutualExclusion())).singleElement().asString().contains("Two leases", "orders c 11");
	}

	@Test
	void onlySharedLeasesMayHaveTheSameToken() {
		start("a", 10, 1, 100, 110);
		startShared("b", 2, 120, 130);
		startShared("c", 2, 140, 150);
		assertThat(violations(new MonotonicTokens())).isEmpty();
		start("d", 10, 1, 160, 170);
		assertThat(violations(new MonotonicTokens())).hasSize(2);
	}

	@Test
	void aLossThatIsDetectedInAnOutageIsNoViolation() {
		long lease = FaultRun.LEASE.toNanos();
		this.history.add(new OutageWindow(ORDERS, 200, 300 + lease));
		start("a", 10, 1, 100, 100 + lease);
		end("a", 10, 1, 250 + lease, false);
		start("b", 11, 1, 350 + lease, 400 + lease);
		end("b", 11, 1, 360 + lease, true);
		assertThat(violations(new LossDetection())).isEmpty();
	}

	@Test
	void aLowerTokenOfASharedLeaseIsAViolationUnlessTheEarlierLeaseMayBeLost() {
		start("a", 11, 1, 100, 200);
		startShared("b", 3, 300, 400);
		assertThat(violations(new MonotonicTokens())).singleElement().asString().contains("does not grow");
		this.history.add(new DataLossWindow(ORDERS, 110, 120, false));
		assertThat(violations(new MonotonicTokens())).isEmpty();
	}

	@Test
	void sharersGetTheirTokensInAnyOrderIfTheyAcquireTheLockAtTheSameTime() {
		startShared("a", 3, 11, 105, 115);
		startShared("b", 3, 10, 110, 120);
		assertThat(violations(new MonotonicTokens())).isEmpty();
		startShared("c", 3, 10, 125, 130);
		assertThat(violations(new MonotonicTokens())).singleElement()
			.asString()
			.contains("does not grow", "orders a", "orders c");
	}

	@Test
	void onlyAFormerMasterRenewsALeaseWhoseTokensAreOld() {
		long lease = FaultRun.LEASE.toNanos();
		start("a", 11, 1, lease, 2 * lease);
		start("b", 10, 1, 3 * lease, 4 * lease);
		this.history.add(new DataLossWindow(ORDERS, 50, 5 * lease, false));
		assertThat(violations(new MonotonicTokens())).hasSize(1);
		this.history.add(new DataLossWindow(ORDERS, 50, 5 * lease, true));
		assertThat(violations(new MonotonicTokens())).isEmpty();
	}

	@Test
	void aHistoryCountsHoldsAndLosses() {
		start("a", 10, 1, 100, 200);
		this.history.add(Entry.parse("end orders a 10 1 1 400 0"));
		assertThat(this.history.holdCount()).isOne();
		assertThat(this.history.losses()).isOne();
	}

	private void start(String holder, long token, int depth, long since, long promised) {
		this.history.add(Entry.parse("start orders " + holder + " " + token + " " + depth + " 1 " + (since - 10) + " "
				+ since + " " + since + " " + promised));
	}

	private void startShared(String holder, int limit, long since, long promised) {
		startShared(holder, limit, 10, since, promised);
	}

	private void startShared(String holder, int limit, long token, long since, long promised) {
		this.history.add(Entry.parse("start orders " + holder + " " + token + " 1 " + limit + " " + (since - 10) + " "
				+ since + " " + since + " " + promised));
	}

	private void end(String holder, long token, int depth, long at, boolean held) {
		this.history
			.add(Entry.parse("end orders " + holder + " " + token + " " + depth + " 1 " + at + " " + (held ? 1 : 0)));
	}

	private List<String> violations(Rule rule) {
		return rule.violations(this.history).toList();
	}

}
