package io.github.lockboot.faults;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * An exclusive lease has a greater fencing token than every lease that was valid before
 * it, even if the store has lost its data in between, because tokens follow its clock.
 * The token of a shared lease is not lower, unless the store may have lost the earlier
 * lease: sharers of a lock get the last token that their server issued. Two sharers that
 * acquire a lock at the same time may get their tokens in any order.
 */
final class MonotonicTokens implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.promisedHolds()
			.values()
			.stream()
			.map((holds) -> holds.stream().filter(Hold::isOuter).toList())
			.flatMap((leases) -> Stream.concat(regressions(history, leases), duplicates(leases)));
	}

	private static Stream<String> regressions(History history, List<Hold> leases) {
		List<Hold> exclusive = leases.stream().filter((lease) -> lease.acquisition().isExclusive()).toList();
		List<Hold> shared = leases.stream().filter((lease) -> !lease.acquisition().isExclusive()).toList();
		return Stream
			.of(regressions(history, leases, exclusive, Hold::earliestNanos),
					regressions(history, exclusive, shared, Hold::earliestNanos),
					regressions(history, shared, shared, Hold::requestedNanos))
			.flatMap(Function.identity());
	}

	/**
	 * Compare leases with earlier ones.
	 * @param since the time from which on a lease may have got its token
	 */
	private static Stream<String> regressions(History history, List<Hold> earlier, List<Hold> leases,
			ToLongFunction<Hold> since) {
		PrecedingHolds highest = new PrecedingHolds(earlier, Comparator.comparingLong(Hold::token));
		return leases.stream()
			.sorted(Comparator.comparingLong(since))
			.flatMap((lease) -> regressions(history, highest.greatestBefore(since.applyAsLong(lease)), lease));
	}

	private static Stream<String> regressions(History history, @Nullable Hold earlier, Hold lease) {
		if (earlier == null) {
			return Stream.empty();
		}
		boolean exclusive = lease.acquisition().isExclusive();
		boolean regressed = lease.token() - earlier.token() < (exclusive ? 1 : 0);
		return (regressed && (exclusive || !history.mayHaveLost(earlier, lease)))
				? Stream.of("A token does not grow: " + earlier + " was before " + lease) : Stream.empty();
	}

	private static Stream<String> duplicates(List<Hold> leases) {
		Map<Long, Hold> firsts = new HashMap<>();
		return leases.stream().filter((lease) -> lease.acquisition().isExclusive()).flatMap((lease) -> {
			Hold first = firsts.putIfAbsent(lease.token(), lease);
			return (first != null) ? Stream.of("A token was issued twice: " + first + " and " + lease) : Stream.empty();
		});
	}

}
