package io.github.lockboot.faults;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * No two leases of a lock are valid at the same time, unless they share it; then no more
 * of them are than the limit allows. Two holds count as violation only if they certainly
 * overlapped.
 */
final class MutualExclusion implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.promisedHolds().values().stream().flatMap(MutualExclusion::overlaps);
	}

	private static Stream<String> overlaps(List<Hold> holds) {
		List<Hold> leases = holds.stream().filter((hold) -> hold.isOuter() && hold.isPromised()).toList();
		Deque<Hold> upcoming = new ArrayDeque<>(
				leases.stream().sorted(Comparator.comparingLong(Hold::startedNanos)).toList());
		Deque<Hold> valid = new ArrayDeque<>();
		return leases.stream().sorted(Comparator.comparingLong(Hold::earliestNanos)).flatMap((lease) -> {
			while (!upcoming.isEmpty() && upcoming.element().isBefore(lease)) {
				valid.add(upcoming.remove());
			}
			valid.removeIf((earlier) -> earlier.untilNanos() < lease.earliestNanos());
			return overlap(valid.stream().filter((earlier) -> earlier.untilNanos() >= lease.startedNanos()).toList(),
					lease);
		});
	}

	private static Stream<String> overlap(List<Hold> others, Hold lease) {
		int limit = others.stream()
			.mapToInt((other) -> other.acquisition().limit())
			.reduce(lease.acquisition().limit(), Math::min);
		return (others.size() < limit) ? Stream.empty() : Stream.of(((limit == 1) ? "Two" : "More than " + limit)
				+ " leases are valid at once: " + others + " and " + lease);
	}

}
