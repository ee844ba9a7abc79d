package io.github.lockboot.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A resource that rejects every token lower than the highest it has seen loses no update:
 * each write that it accepts is based on the current value, whether leases are valid or
 * not.
 */
final class FencedMutex implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.byLock().values().stream().flatMap((entries) -> new Resource().replay(entries));
	}

	/**
	 * The model of a counter with a fence.
	 */
	private static final class Resource {

		private final List<String> violations = new ArrayList<>();

		private long highest;

		private long value;

		Stream<String> replay(List<Entry> entries) {
			for (Entry entry : entries) {
				if (entry instanceof Entry.HoldStarted started) {
					check(started, started.accepted());
					violatedIf(started.accepted() && started.value() != this.value, "A wrong value was read", started);
				}
				else if (entry instanceof Entry.HoldEnded ended && ended.hasWritten()) {
					check(ended, ended.accepted());
					write(ended);
				}
			}
			return this.violations.stream();
		}

		private void check(Entry entry, boolean accepted) {
			violatedIf(accepted != (entry.acquisition().token() >= this.highest), "The fence did not work", entry);
			this.highest = Math.max(this.highest, entry.acquisition().token());
		}

		private void write(Entry.HoldEnded ended) {
			if (ended.accepted()) {
				violatedIf(ended.from() != this.value, "An update was lost in spite of the fence", ended);
				this.value = ended.from() + 1;
			}
		}

		private void violatedIf(boolean violated, String what, Entry entry) {
			if (violated) {
				this.violations
					.add(what + ": " + entry + " at value " + this.value + ", highest token " + this.highest);
			}
		}

	}

}
