package io.github.lockboot.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What happened in a run, in the order of the ledger. Not thread-safe.
 */
final class History {

	private final List<Entry> entries = new ArrayList<>();

	private final List<Amnesia> amnesias = new ArrayList<>();

	private final List<Silence> silences = new ArrayList<>();

	private final List<Gone> gone = new ArrayList<>();

	private final List<Disorder> disorders = new ArrayList<>();

	void add(Entry entry) {
		this.entries.add(entry);
		if (entry instanceof Entry.Forced forced) {
			add(new Amnesia(Set.of(forced.lock()), forced.fromNanos(), forced.toNanos() + FaultRun.LEASE.toNanos()));
		}
	}

	void add(Amnesia amnesia) {
		this.amnesias.add(amnesia);
	}

	void add(Silence silence) {
		this.silences.add(silence);
	}

	void add(Gone gone) {
		this.gone.add(gone);
	}

	void add(Disorder disorder) {
		this.disorders.add(disorder);
	}

	Stream<Silence> silences() {
		return this.silences.stream();
	}

	Stream<Gone> gone() {
		return this.gone.stream();
	}

	/**
	 * Return the leases that were compared with their keys, without those that the store
	 * may have forgotten.
	 * @return in the order of the ledger
	 */
	Stream<Entry.Compared> compared() {
		return this.entries.stream()
			.filter(Entry.Compared.class::isInstance)
			.map(Entry.Compared.class::cast)
			.filter((compared) -> this.amnesias.stream()
				.noneMatch((amnesia) -> amnesia.covers(compared.lock(), compared.askedNanos(), compared.keyNanos())));
	}

	/**
	 * Whether the server that gave out a hold may not have known another one.
	 * @param earlier the other one
	 * @param later the hold
	 * @return true if the store may have forgotten that one in between
	 */
	boolean mayHaveForgotten(Tenancy earlier, Tenancy later) {
		return this.amnesias.stream()
			.anyMatch(
					(amnesia) -> amnesia.covers(later.acquisition().lock(), earlier.askedNanos(), later.sinceNanos()));
	}

	/**
	 * Return the waits for each {@code fair} lock.
	 * @return lists in the order of the ledger
	 */
	Map<String, List<Entry.Waited>> waits() {
		return this.entries.stream()
			.filter(Entry.Waited.class::isInstance)
			.map(Entry.Waited.class::cast)
			.collect(Collectors.groupingBy(Entry::lock));
	}

	/**
	 * Whether a fault, or a subscription that was made anew, excuses that one has come
	 * before another one.
	 * @param first the one that had queued
	 * @param other the one that came before it
	 * @return true if so
	 */
	boolean excuses(Entry.Waited first, Entry.Waited other) {
		return (first.missed() && !first.isOfSameJvm(other))
				|| this.disorders.stream().anyMatch((disorder) -> disorder.excuses(first, other));
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
	 * @return lists in the order of their ends
	 */
	Map<String, List<Tenancy>> tenancies() {
		return claims().map(this::promised).collect(Collectors.groupingBy((tenancy) -> tenancy.acquisition().lock()));
	}

	/**
	 * Return all holds for as long as their holders took them to be valid, whatever the
	 * store may have forgotten.
	 * @return in the order of their ends
	 */
	Stream<Tenancy> claims() {
		List<Tenancy> claims = new ArrayList<>();
		// who shares a lock enters it again and again by the same token
		Map<Entry.Acquisition, Entry.Opened> open = new LinkedHashMap<>();
		for (Entry entry : this.entries) {
			if (entry instanceof Entry.Opened opened) {
				open.put(opened.acquisition(), opened);
			}
			else if (entry instanceof Entry.Left left) {
				Entry.Opened opened = open.remove(left.acquisition());
				if (opened != null) {
					claims.add(claim(opened, left.held() ? left.atNanos() : opened.promisedNanos()));
				}
			}
		}
		open.values().forEach((opened) -> claims.add(claim(opened, opened.promisedNanos())));
		return claims.stream();
	}

	long holds() {
		return this.entries.stream()
			.filter((entry) -> entry instanceof Entry.Opened && entry.acquisition().isOuter())
			.count();
	}

	/**
	 * Return how many holds were not valid any more when they ended by themselves.
	 * @return the number
	 */
	long losses() {
		return ends().filter((left) -> left.acquisition().isOuter() && !left.held()).count();
	}

	/**
	 * Return how many writes the fence has refused.
	 * @return the number
	 */
	long refusals() {
		return ends().filter((left) -> left.hasWritten() && !left.accepted()).count();
	}

	private static Tenancy claim(Entry.Opened opened, long untilNanos) {
		return new Tenancy(opened.acquisition(), opened.askedNanos(), opened.beforeNanos(), opened.sinceNanos(),
				untilNanos);
	}

	private Tenancy promised(Tenancy claim) {
		Tenancy tenancy = claim;
		for (Amnesia amnesia : this.amnesias) {
			tenancy = amnesia.applyTo(tenancy);
		}
		return tenancy;
	}

}
