package io.github.lockboot.faults;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * No two leases of a lock are valid at the same moment. Two holds of which it is not
 * known which came first are given the benefit of the doubt.
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
		Earlier longest = new Earlier(leases, Comparator.comparingLong(Tenancy::untilNanos));
		return leases.stream()
			.sorted(Comparator.comparingLong(Tenancy::beforeNanos))
			.flatMap((lease) -> overlap(longest.greatestBefore(lease), lease));
	}

	private static Stream<String> overlap(@Nullable Tenancy earlier, Tenancy lease) {
		return (earlier != null && earlier.untilNanos() >= lease.sinceNanos())
				? Stream.of("Two leases are valid at once: " + earlier + " and " + lease) : Stream.empty();
	}

}
