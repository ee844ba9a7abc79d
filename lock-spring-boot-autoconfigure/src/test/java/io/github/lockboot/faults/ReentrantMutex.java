package io.github.lockboot.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A nested acquisition has the token of the outer one and ends before it, and no other
 * holder has that token.
 */
final class ReentrantMutex implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.byLock().values().stream().flatMap(ReentrantMutex::misplaced);
	}

	private static Stream<String> misplaced(List<Entry> entries) {
		Map<String, Entry.Acquisition> current = new HashMap<>();
		return entries.stream()
			.filter((entry) -> entry instanceof Entry.HoldStarted || entry instanceof Entry.HoldEnded)
			.flatMap((entry) -> {
				String holder = entry.acquisition().holder();
				Entry.Acquisition now = current.get(holder);
				if (entry instanceof Entry.HoldStarted) {
					current.put(holder, entry.acquisition());
					return violationUnless(mayEnter(now, entry.acquisition()), entry, now);
				}
				current.put(holder, outer(entry.acquisition()));
				return violationUnless(entry.acquisition().equals(now), entry, now);
			});
	}

	private static boolean mayEnter(Entry.@Nullable Acquisition now, Entry.Acquisition next) {
		return next.isOuter() ? (now == null || now.depth() == 0) : (now != null && now.equals(outer(next)));
	}

	private static Entry.Acquisition outer(Entry.Acquisition acquisition) {
		return new Entry.Acquisition(acquisition.lock(), acquisition.holder(), acquisition.token(),
				acquisition.depth() - 1, acquisition.limit());
	}

	private static Stream<String> violationUnless(boolean kept, Entry entry, Entry.@Nullable Acquisition now) {
		return kept ? Stream.empty()
				: Stream.of("An acquisition is not nested correctly: " + entry + " while its holder was in " + now);
	}

}
