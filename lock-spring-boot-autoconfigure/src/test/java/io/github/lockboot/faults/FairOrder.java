package io.github.lockboot.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A waiter of a {@code fair} lock does not acquire it before another one that was
 * confirmed to be in the queue before its own first request was sent. Waiters that gave
 * up do not count: only those that acquired the lock are compared, by their tokens.
 */
final class FairOrder implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.waits().values().stream().flatMap((waits) -> reordered(history, waits));
	}

	private static Stream<String> reordered(History history, List<Entry.WaitEnded> waits) {
		List<String> violations = new ArrayList<>();
		List<Entry.WaitEnded> later = new ArrayList<>();
		waits.stream()
			.sorted(Comparator.comparingLong((Entry.WaitEnded wait) -> wait.acquisition().token()).reversed())
			.forEach((wait) -> {
				// those that were sent after this one acquired the lock were not in the
				// queue
				later.removeIf((other) -> other.sentNanos() > wait.ownedNanos());
				later.stream()
					.filter((other) -> other.queuedNanos() < wait.sentNanos() && !history.excuses(other, wait))
					.forEach((other) -> violations.add("A fair lock was granted to " + wait + " before " + other));
				later.add(wait);
			});
		return violations.stream();
	}

}
