package io.github.lockboot.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A {@code fair} lock is not given to one whose first request was sent when another one
 * had been told that it was in the queue, before that one. Whether it gave up does not
 * matter: only those that have owned the lock are compared, by their tokens.
 */
final class FairOrder implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.waits().values().stream().flatMap((waits) -> overtaken(history, waits));
	}

	private static Stream<String> overtaken(History history, List<Entry.Waited> waits) {
		List<String> violations = new ArrayList<>();
		List<Entry.Waited> later = new ArrayList<>();
		waits.stream()
			.sorted(Comparator.comparingLong((Entry.Waited wait) -> wait.acquisition().token()).reversed())
			.forEach((wait) -> {
				// those that were sent after this one has come can't have waited before
				// it
				later.removeIf((other) -> other.sentNanos() > wait.ownedNanos());
				later.stream()
					.filter((other) -> other.queuedNanos() < wait.sentNanos() && !history.excuses(other, wait))
					.forEach((other) -> violations.add("A fair lock was given to " + wait + " before " + other));
				later.add(wait);
			});
		return violations.stream();
	}

}
