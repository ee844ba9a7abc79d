package io.github.lockboot.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Who enters a lock again has it already: by the same token, and not for longer than the
 * acquisition around it; nobody else has that token.
 */
final class ReentrantMutex implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.byLock().values().stream().flatMap(ReentrantMutex::outOfPlace);
	}

	private static Stream<String> outOfPlace(List<Entry> entries) {
		Map<String, Entry.Acquisition> inside = new HashMap<>();
		return entries.stream()
			.filter((entry) -> entry instanceof Entry.Opened || entry instanceof Entry.Left)
			.flatMap((entry) -> {
				String actor = entry.acquisition().actor();
				Entry.Acquisition now = inside.get(actor);
				if (entry instanceof Entry.Opened) {
					inside.put(actor, entry.acquisition());
					return violationUnless(mayEnter(now, entry.acquisition()), entry, now);
				}
				inside.put(actor, around(entry.acquisition()));
				return violationUnless(entry.acquisition().equals(now), entry, now);
			});
	}

	private static boolean mayEnter(Entry.@Nullable Acquisition now, Entry.Acquisition next) {
		return next.isOuter() ? (now == null || now.depth() == 0) : (now != null && now.equals(around(next)));
	}

	private static Entry.Acquisition around(Entry.Acquisition acquisition) {
		return new Entry.Acquisition(acquisition.lock(), acquisition.actor(), acquisition.token(),
				acquisition.depth() - 1, acquisition.limit());
	}

	private static Stream<String> violationUnless(boolean kept, Entry entry, Entry.@Nullable Acquisition now) {
		return kept ? Stream.empty()
				: Stream.of("An acquisition is out of place: " + entry + " while its actor was in " + now);
	}

}
