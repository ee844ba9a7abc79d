package io.github.lockboot.faults;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * An exclusive lease has a greater fencing token than every lease that was valid before
 * it, even if the store has lost its data in between, because tokens follow its clock. A
 * shared one has no lower token, unless the store may have forgotten the earlier lease:
 * those who share a lock get the last token that their server knows.
 */
final class GrowingTokens implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.tenancies()
			.values()
			.stream()
			.map((tenancies) -> tenancies.stream().filter(Tenancy::isOuter).toList())
			.flatMap((leases) -> Stream.concat(backwards(history, leases), twice(leases)));
	}

	private static Stream<String> backwards(History history, List<Tenancy> leases) {
		Earlier highest = new Earlier(leases, Comparator.comparingLong(Tenancy::token));
		return leases.stream()
			.sorted(Comparator.comparingLong(Tenancy::beforeNanos))
			.flatMap((lease) -> backwards(history, highest.greatestBefore(lease), lease));
	}

	private static Stream<String> backwards(History history, @Nullable Tenancy earlier, Tenancy lease) {
		if (earlier == null) {
			return Stream.empty();
		}
		boolean exclusive = lease.acquisition().isExclusive();
		boolean backwards = lease.token() - earlier.token() < (exclusive ? 1 : 0);
		return (backwards && (exclusive || !history.mayHaveForgotten(earlier, lease)))
				? Stream.of("A token does not grow: " + earlier + " was before " + lease) : Stream.empty();
	}

	private static Stream<String> twice(List<Tenancy> leases) {
		Map<Long, Tenancy> firsts = new HashMap<>();
		return leases.stream().filter((lease) -> lease.acquisition().isExclusive()).flatMap((lease) -> {
			Tenancy first = firsts.putIfAbsent(lease.token(), lease);
			return (first != null) ? Stream.of("A token was given out twice: " + first + " and " + lease)
					: Stream.empty();
		});
	}

}
