package io.github.lockboot.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A resource that refuses every token lower than the highest it has seen loses no update:
 * whatever it lets pass follows the value before, leases valid or not.
 */
final class FencedMutex implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.byLock().values().stream().flatMap((entries) -> new Resource().replay(entries));
	}

	/**
	 * A counter behind a fence, as it should have been.
	 */
	private static final class Resource {

		private final List<String> violations = new ArrayList<>();

		private long highest;

		private long value;

		Stream<String> replay(List<Entry> entries) {
			for (Entry entry : entries) {
				if (entry instanceof Entry.Opened opened) {
					pass(opened, opened.accepted());
					violatedIf(opened.accepted() && opened.value() != this.value, "A wrong value was read", opened);
				}
				else if (entry instanceof Entry.Left left && left.hasWritten()) {
					pass(left, left.accepted());
					write(left);
				}
			}
			return this.violations.stream();
		}

		private void pass(Entry entry, boolean accepted) {
			violatedIf(accepted != (entry.acquisition().token() >= this.highest), "The fence did not work", entry);
			this.highest = Math.max(this.highest, entry.acquisition().token());
		}

		private void write(Entry.Left left) {
			if (left.accepted()) {
				violatedIf(left.from() != this.value, "An update was lost in spite of the fence", left);
				this.value = left.from() + 1;
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
