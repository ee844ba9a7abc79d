package io.github.lockboot.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What happened in a run, in the order of the ledger. Not thread-safe.
 */
final class History {

	private final List<Entry> entries = new ArrayList<>();

	private final List<Amnesia> amnesias = new ArrayList<>();

	private final List<Silence> silences = new ArrayList<>();

	void add(Entry entry) {
		this.entries.add(entry);
	}

	void add(Amnesia amnesia) {
		this.amnesias.add(amnesia);
	}

	void add(Silence silence) {
		this.silences.add(silence);
	}

	Stream<Silence> silences() {
		return this.silences.stream();
	}

	/**
	 * Return the ends of all holds.
	 * @return in the order of the ledger
	 */
	Stream<Entry.Left> ends() {
		return this.entries.stream().filter(Entry.Left.class::isInstance).map(Entry.Left.class::cast);
	}

	/**
	 * Return the entries of each lock.
	 * @return lists in the order of the ledger
	 */
	Map<String, List<Entry>> byLock() {
		return this.entries.stream().collect(Collectors.groupingBy(Entry::lock));
	}

	/**
	 * Return the holds of each lock, as far as the store has promised them.
	 * @return lists in the order of the ledger
	 */
	Map<String, List<Tenancy>> tenancies() {
		Map<Entry.Entrance, Entry.Left> ends = new HashMap<>();
		ends().forEach((left) -> ends.put(left.entrance(), left));
		return this.entries.stream()
			.filter(Entry.Opened.class::isInstance)
			.map(Entry.Opened.class::cast)
			.map((opened) -> tenancy(opened, ends.get(opened.entrance())))
			.collect(Collectors.groupingBy((tenancy) -> tenancy.entrance().lock()));
	}

	long holds() {
		return this.entries.stream()
			.filter((entry) -> entry instanceof Entry.Opened && entry.entrance().isOuter())
			.count();
	}

	/**
	 * Return how many holds were not valid any more when they ended by themselves.
	 * @return the number
	 */
	long losses() {
		return ends().filter((left) -> left.entrance().isOuter() && !left.held()).count();
	}

	/**
	 * Return how many writes the fence has refused.
	 * @return the number
	 */
	long refusals() {
		return ends().filter((left) -> left.hasWritten() && !left.accepted()).count();
	}

	private Tenancy tenancy(Entry.Opened opened, Entry.@Nullable Left left) {
		long until = (left != null && left.held()) ? left.atNanos() : opened.promisedNanos();
		Tenancy tenancy = new Tenancy(opened.entrance(), opened.askedNanos(), opened.beforeNanos(), opened.sinceNanos(),
				until);
		for (Amnesia amnesia : this.amnesias) {
			tenancy = amnesia.applyTo(tenancy);
		}
		return tenancy;
	}

}
