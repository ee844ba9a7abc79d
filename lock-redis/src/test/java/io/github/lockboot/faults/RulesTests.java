package io.github.lockboot.faults;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the rules with made-up histories. The unit of time is a nanosecond, and L is a
 * lease.
 */
class RulesTests {

	private final History history = new History();

	/** The steps are those of {@link #step}; the last column is in the violations. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					two leases that are valid at once | MUTUAL_EXCLUSION | start a 10 1 100 200; start b 11 1 120 220; end a 10 1 130 true | orders a 10, orders b 11
					a short lease during a long one | MUTUAL_EXCLUSION | start a 10 1 100 900; start b 11 1 910 920; end b 11 1 915 true; end a 10 1 950 true | orders
					a killed holder keeps its lease until the promised end | MUTUAL_EXCLUSION | start killed 10 1 100 200; start b 11 1 199 299 | orders
					a lost lease counts until its promised end | MUTUAL_EXCLUSION | start lost 10 1 100 200; start b 11 1 190 290; end lost 10 1 400 false | orders
					the next hold may start after the promised end | MUTUAL_EXCLUSION | start killed 10 1 100 200; start b 11 1 201 300 |
					a lost lease excludes nobody | MUTUAL_EXCLUSION | start a 10 1 100 200; lost 110 120; start b 11 1 130 230 |
					a lease that was lost before it started excludes nobody | MUTUAL_EXCLUSION | start a 10 1 130 230; start orders b 11 1 1 115 140 140 240; lost 110 120 |
					a force released lock excludes nobody | MUTUAL_EXCLUSION | start a 10 1 100 200; force orders b 0 0 1 110 120; start b 11 1 130 230 |
					a lease that started after a data loss excludes others | MUTUAL_EXCLUSION | lost 50 60; start a 10 1 100 200; start b 11 1 130 230 | orders
					a data loss of another server ends no lease | MUTUAL_EXCLUSION | start a 10 1 100 200; lost 110 120 stock; start b 11 1 130 230 | Two leases
					as many holders as the limit allows | MUTUAL_EXCLUSION | share a 2 10 100 200; share b 2 10 120 220 |
					more holders than the limit allows | MUTUAL_EXCLUSION | share a 2 10 100 200; share b 2 10 120 220; share c 2 10 130 230; share d 2 10 225 325 | More than 2, orders c 10
					an exclusive hold excludes shared ones | MUTUAL_EXCLUSION | share a 99 10 100 200; share b 99 10 110 210; start c 11 1 205 305 | Two leases, orders c 11
					a lower token even after a data loss | MONOTONIC_TOKENS | start a 10 1 100 200; lost 110 120; start b 9 1 300 400 | does not grow
					a duplicate token even of overlapping holds | MONOTONIC_TOKENS | start orders a 10 1 1 90 100 140 200; start orders b 10 1 1 90 120 160 220 | twice
					tokens of two servers may overlap while leases may be lost | MONOTONIC_TOKENS | lost 50 3L; start a 11 1 100 200; start b 10 1 L 2L |
					tokens of two servers may not overlap for longer | MONOTONIC_TOKENS | lost 50 3L; start a 11 1 100 200; start b 10 1 L 2L; start c 9 1 2L 3L | does not grow
					shared leases may have the same token | MONOTONIC_TOKENS | start a 10 1 100 110; share b 2 10 120 130; share c 2 10 140 150 |
					only shared leases may have the same token | MONOTONIC_TOKENS | start a 10 1 100 110; share b 2 10 120 130; start d 10 1 160 170 | does not grow; twice
					a lower token of a shared lease | MONOTONIC_TOKENS | start a 11 1 100 200; share b 3 10 300 400 | does not grow
					a lower token of a shared lease if the earlier one may be lost | MONOTONIC_TOKENS | start a 11 1 100 200; share b 3 10 300 400; lost 110 120 |
					sharers that acquire a lock at the same time have tokens in any order | MONOTONIC_TOKENS | share a 3 11 105 115; share b 3 10 110 120 |
					a later sharer has no lower token | MONOTONIC_TOKENS | share a 3 11 105 115; share b 3 10 110 120; share c 3 10 125 130 | does not grow, orders a, orders c
					a lost lease is not renewed with its old tokens | MONOTONIC_TOKENS | start a 11 1 L 2L; start b 10 1 3L 4L; lost 50 5L | does not grow
					a former master renews a lease with its old tokens | MONOTONIC_TOKENS | start a 11 1 L 2L; start b 10 1 3L 4L; switched 50 5L |
					a hold that outlives its lease in an outage | LOSS_DETECTION | outage 200 300+L; start a 10 1 100 100+L; end a 10 1 250+L true | orders a 10
					a loss that is detected in an outage | LOSS_DETECTION | outage 200 300+L; start a 10 1 100 100+L; end a 10 1 250+L false; start b 11 1 350+L 400+L; end b 11 1 360+L true |
					a hold that outlives an invalidated lease | LOSS_DETECTION | start a 10 1 100 100+L; invalid 110 120; end a 10 1 130+L true; start b 11 1 140+L 240+2L; end b 11 1 130+2L true | orders a 10
					""")
	void aHistoryFulfilsOrBreaksARule(String name, Rule rule, String steps, @Nullable String violations) {
		Stream.of(steps.split("; ")).forEach(this::step);
		List<String> expected = (violations != null) ? List.of(violations.split("; ")) : List.of();
		assertThat(rule.violations(this.history)).hasSameSizeAs(expected)
			.zipSatisfy(expected, (violation, parts) -> assertThat(violation).contains(parts.split(", ")));
	}

	@ParameterizedTest
	@CsvSource({
			"start a 10 1 100 200; end a 10 1 150 true; start b 11 1 160 260; start b 11 2 170 260; end b 11 2 180 true; end b 11 1 190 true",
			"start orders a 10 1 1 90 100 140 200; start orders b 11 1 1 90 120 160 220",
			"start a 10 1 100 200; start stock b 9 1 1 110 120 120 220" })
	void aCorrectHistoryFulfilsAllRules(String steps) {
		Stream.of(steps.split("; ")).forEach(this::step);
		assertThat(Rule.values()).allSatisfy((rule) -> assertThat(rule.violations(this.history)).isEmpty());
	}

	@Test
	void aHistoryCountsHoldsAndLosses() {
		step("start a 10 1 100 200");
		step("end a 10 1 400 false");
		assertThat(this.history.holdCount()).isOne();
		assertThat(this.history.losses()).isOne();
	}

	/**
	 * Adds a line of a history as it is recorded, or in a short form: {@code start}
	 * holder, token, depth, since, until; {@code share} holder, limit, token, since,
	 * until; {@code end} holder, token, depth, at, held. The others add a time in which
	 * leases are {@code lost}, also to a former master ({@code switched}) or
	 * {@code invalid}, or an {@code outage}.
	 */
	private void step(String step) {
		String[] words = step.split(" ");
		Set<String> locks = Set.of((words.length == 4) ? words[3] : "orders");
		switch (words[0] + words.length) {
			case "start6" -> start(words[1] + " " + words[2] + " " + words[3] + " 1", words[4], words[5]);
			case "share6" -> start(words[1] + " " + words[3] + " 1 " + words[2], words[4], words[5]);
			case "end6" -> this.history.add(Entry.parse("end orders " + words[1] + " " + words[2] + " " + words[3]
					+ " 1 " + nanos(words[4]) + " " + (words[5].equals("true") ? 1 : 0)));
			case "lost3", "lost4" ->
				this.history.add(new History.DataLossWindow(locks, nanos(words[1]), nanos(words[2]), false));
			case "switched3" ->
				this.history.add(new History.DataLossWindow(locks, nanos(words[1]), nanos(words[2]), true));
			case "outage3" -> this.history.add(new History.OutageWindow(locks, nanos(words[1]), nanos(words[2])));
			case "invalid3" -> this.history.add(new History.LeaseInvalidation(locks, nanos(words[1]), nanos(words[2])));
			default -> this.history.add(Entry.parse(step));
		}
	}

	private void start(String acquisition, String since, String promised) {
		long at = nanos(since);
		this.history.add(Entry
			.parse("start orders " + acquisition + " " + (at - 10) + " " + at + " " + at + " " + nanos(promised)));
	}

	private static long nanos(String time) {
		return Stream.of(time.split("\\+"))
			.mapToLong((part) -> part.equals("L") ? FaultRun.LEASE.toNanos()
					: part.endsWith("L") ? Long.parseLong(part.replace("L", "")) * FaultRun.LEASE.toNanos()
							: Long.parseLong(part))
			.sum();
	}

}
