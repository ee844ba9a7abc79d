package io.github.lockboot.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Who enters a lock again has it already: by the same token, and not for longer than the
 * entrance around it; nobody else has that token.
 */
final class ReentrantMutex implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.byLock().values().stream().flatMap(ReentrantMutex::outOfPlace);
	}

	private static Stream<String> outOfPlace(List<Entry> entries) {
		Map<String, Entry.Entrance> inside = new HashMap<>();
		return entries.stream()
			.filter((entry) -> entry instanceof Entry.Opened || entry instanceof Entry.Left)
			.flatMap((entry) -> {
				String actor = entry.entrance().actor();
				Entry.Entrance now = inside.get(actor);
				if (entry instanceof Entry.Opened) {
					inside.put(actor, entry.entrance());
					return violationUnless(mayEnter(now, entry.entrance()), entry, now);
				}
				inside.put(actor, around(entry.entrance()));
				return violationUnless(entry.entrance().equals(now), entry, now);
			});
	}

	private static boolean mayEnter(Entry.@Nullable Entrance now, Entry.Entrance next) {
		return next.isOuter() ? (now == null || now.depth() == 0) : (now != null && now.equals(around(next)));
	}

	private static Entry.Entrance around(Entry.Entrance entrance) {
		return new Entry.Entrance(entrance.lock(), entrance.actor(), entrance.token(), entrance.depth() - 1,
				entrance.limit());
	}

	private static Stream<String> violationUnless(boolean kept, Entry entry, Entry.@Nullable Entrance now) {
		return kept ? Stream.empty()
				: Stream.of("An entrance is out of place: " + entry + " while its actor was in " + now);
	}

}
