package io.github.lockboot.faults;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A promise of the locks that a history must fulfil.
 */
enum Rule {

	/**
	 * No two leases of a lock are valid at the same time, unless they share it; then no
	 * more of them are than the limit allows. Two holds count as violation only if they
	 * certainly overlapped.
	 */
	MUTUAL_EXCLUSION((history) -> history.promisedHolds().values().stream().flatMap(Rule::overlaps)),

	/**
	 * An exclusive lease has a greater fencing token than every lease that was valid
	 * before it, even if the store has lost its data in between, because tokens follow
	 * its clock. The token of a shared lease is not lower, unless the store may have lost
	 * the earlier lease: sharers of a lock get the last token that their server issued.
	 * Two sharers that acquire a lock at the same time may get their tokens in any order.
	 */
	MONOTONIC_TOKENS((history) -> history.promisedHolds()
		.values()
		.stream()
		.map((holds) -> holds.stream().filter(Hold::isOuter).toList())
		.flatMap((leases) -> Stream.concat(regressions(history, leases), duplicates(leases)))),

	/**
	 * A holder that could not renew its lease is notified of the loss when the lease ends
	 * or earlier, even if no server replies, or if another server replies that does not
	 * know the lease.
	 */
	LOSS_DETECTION(
			(history) -> Stream.concat(
					history.ends()
						.filter((ended) -> ended.held() && history.outages()
							.anyMatch((outage) -> outage.outlasts(ended.lock(), ended.atNanos()))),
					history.claimedHolds()
						.filter((claim) -> history.invalidations()
							.anyMatch((invalidations) -> invalidations.isOutlivedBy(claim))))
				.map((holder) -> "A holder was not notified of a lost lease: " + holder)),

	/**
	 * A handle never reports a lease that ends after the expiry of its key, unless the
	 * store has lost the lease.
	 */
	LEASE_WITHIN_KEY_TTL((history) -> history.compared()
		.filter((compared) -> compared.leaseNanos() > compared.keyNanos())
		.map((compared) -> "A lease ends after its key expires: " + compared));

	private final Function<History, Stream<String>> check;

	Rule(Function<History, Stream<String>> check) {
		this.check = check;
	}

	/** Return a sentence for each violation; empty if there is none. */
	Stream<String> violations(History history) {
		return this.check.apply(history);
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
	 * Compare leases with the one of the greatest token that certainly started before.
	 * @param since the time from which on a lease may have got its token
	 */
	private static Stream<String> regressions(History history, List<Hold> earlier, List<Hold> leases,
			ToLongFunction<Hold> since) {
		Deque<Hold> upcoming = new ArrayDeque<>(
				earlier.stream().sorted(Comparator.comparingLong(Hold::startedNanos)).toList());
		Deque<Hold> greatest = new ArrayDeque<>();
		return leases.stream().sorted(Comparator.comparingLong(since)).flatMap((lease) -> {
			while (!upcoming.isEmpty() && upcoming.element().startedNanos() < since.applyAsLong(lease)) {
				Hold each = upcoming.remove();
				if (greatest.isEmpty() || each.token() > greatest.element().token()) {
					greatest.push(each);
				}
			}
			return regressions(history, greatest.peek(), lease);
		});
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
