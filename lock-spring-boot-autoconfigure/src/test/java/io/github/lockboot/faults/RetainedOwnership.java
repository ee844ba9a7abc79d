package io.github.lockboot.faults;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nobody holds a lock while it is idle in the JVM that retains it: not between two holds
 * of which the second one got the next token of the first one's lease.
 */
final class RetainedOwnership implements Rule {

	/** How far tokens of one JVM are apart: the last three digits identify the JVM. */
	private static final long NEXT = 1000;

	@Override
	public Stream<String> violations(History history) {
		return history.promisedHolds()
			.values()
			.stream()
			.map((holds) -> holds.stream()
				.filter((hold) -> hold.isOuter() && hold.isPromised() && hold.acquisition().isExclusive())
				.toList())
			.flatMap((holds) -> violations(history, holds));
	}

	private static Stream<String> violations(History history, List<Hold> holds) {
		Map<Long, Hold> byToken = holds.stream()
			.collect(Collectors.toMap(Hold::token, Function.identity(), (first, second) -> first));
		PrecedingHolds latest = new PrecedingHolds(holds, Comparator.comparingLong(Hold::earliestNanos));
		return holds.stream().sorted(Comparator.comparingLong(Hold::earliestNanos)).flatMap((hold) -> {
			Hold between = latest.greatestBefore(hold.earliestNanos());
			Hold before = byToken.get(hold.token() - NEXT);
			boolean violated = before != null && between != null && before.isBefore(between)
					&& !history.mayHaveLost(before, hold);
			return violated ? Stream
				.of("A lock was held while another JVM retained it: " + between + " between " + before + " and " + hold)
					: Stream.empty();
		});
	}

}
