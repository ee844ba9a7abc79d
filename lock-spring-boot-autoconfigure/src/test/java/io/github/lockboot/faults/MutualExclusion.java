package io.github.lockboot.faults;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * No two leases of a lock are valid at the same moment, unless they share it; and no more
 * of those who share it than may. Holds of which it is not known which came first are
 * given the benefit of the doubt.
 */
final class MutualExclusion implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.tenancies().values().stream().flatMap(MutualExclusion::overlaps);
	}

	private static Stream<String> overlaps(List<Tenancy> tenancies) {
		List<Tenancy> leases = tenancies.stream()
			.filter((tenancy) -> tenancy.isOuter() && tenancy.isPromised())
			.toList();
		Deque<Tenancy> coming = new ArrayDeque<>(
				leases.stream().sorted(Comparator.comparingLong(Tenancy::sinceNanos)).toList());
		Deque<Tenancy> valid = new ArrayDeque<>();
		return leases.stream().sorted(Comparator.comparingLong(Tenancy::beforeNanos)).flatMap((lease) -> {
			while (!coming.isEmpty() && coming.element().isBefore(lease)) {
				valid.add(coming.remove());
			}
			valid.removeIf((earlier) -> earlier.untilNanos() < lease.beforeNanos());
			return overlap(valid.stream().filter((earlier) -> earlier.untilNanos() >= lease.sinceNanos()).toList(),
					lease);
		});
	}

	private static Stream<String> overlap(List<Tenancy> others, Tenancy lease) {
		int limit = others.stream()
			.mapToInt((other) -> other.acquisition().limit())
			.reduce(lease.acquisition().limit(), Math::min);
		return (others.size() < limit) ? Stream.empty() : Stream.of(((limit == 1) ? "Two" : "More than " + limit)
				+ " leases are valid at once: " + others + " and " + lease);
	}

}
