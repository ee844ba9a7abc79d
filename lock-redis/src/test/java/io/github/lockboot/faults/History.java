package io.github.lockboot.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The history of a run, in the order in which it was recorded. Not thread-safe.
 */
final class History {

	private final List<Entry> entries = new ArrayList<>();

	private final List<DataLossWindow> dataLosses = new ArrayList<>();

	private final List<OutageWindow> outages = new ArrayList<>();

	private final List<LeaseInvalidation> invalidations = new ArrayList<>();

	void add(Entry entry) {
		this.entries.add(entry);
		if (entry instanceof Entry.ForceReleased forced) {
			add(new DataLossWindow(Set.of(forced.lock()), forced.fromNanos(),
					forced.toNanos() + FaultRun.LEASE.toNanos(), false));
		}
	}

	void add(DataLossWindow dataLoss) {
		this.dataLosses.add(dataLoss);
	}

	void add(OutageWindow outage) {
		this.outages.add(outage);
	}

	void add(LeaseInvalidation invalidation) {
		this.invalidations.add(invalidation);
	}

	Stream<OutageWindow> outages() {
		return this.outages.stream();
	}

	Stream<LeaseInvalidation> invalidations() {
		return this.invalidations.stream();
	}

	/**
	 * Return the leases that were compared with their keys, without those that the store
	 * may have lost.
	 * @return the comparisons in recorded order
	 */
	Stream<Entry.LeaseCompared> compared() {
		return this.entries.stream()
			.filter(Entry.LeaseCompared.class::isInstance)
			.map(Entry.LeaseCompared.class::cast)
			.filter((compared) -> this.dataLosses.stream()
				.noneMatch((dataLoss) -> dataLoss.covers(compared.lock(), compared.requestedNanos(),
						compared.keyNanos())));
	}

	/**
	 * Whether the server that granted a hold may not have known an earlier one.
	 * @param earlier the earlier hold
	 * @param later the hold
	 * @return true if the store may have lost the earlier one in between
	 */
	boolean mayHaveLost(Hold earlier, Hold later) {
		return this.dataLosses.stream()
			.anyMatch((dataLoss) -> dataLoss.covers(later.acquisition().lock(), earlier.requestedNanos(),
					later.startedNanos()));
	}

	/** Return the ends of all holds in recorded order. */
	Stream<Entry.HoldEnded> ends() {
		return this.entries.stream().filter(Entry.HoldEnded.class::isInstance).map(Entry.HoldEnded.class::cast);
	}

	/**
	 * Return the holds of each lock, for as long as mutual exclusion was promised, in the
	 * order of their ends.
	 */
	Map<String, List<Hold>> promisedHolds() {
		return claimedHolds().map(this::promised).collect(Collectors.groupingBy((hold) -> hold.acquisition().lock()));
	}

	/**
	 * Return all holds for as long as their holders considered them valid, even if the
	 * store may have lost them, in the order of their ends.
	 */
	Stream<Hold> claimedHolds() {
		List<Hold> holds = new ArrayList<>();
		// several holds of one thread that shares a lock may have the same token
		Map<Entry.Acquisition, Entry.HoldStarted> open = new LinkedHashMap<>();
		for (Entry entry : this.entries) {
			if (entry instanceof Entry.HoldStarted started) {
				open.put(started.acquisition(), started);
			}
			else if (entry instanceof Entry.HoldEnded ended) {
				Entry.HoldStarted started = open.remove(ended.acquisition());
				if (started != null) {
					holds.add(hold(started, ended.held() ? ended.atNanos() : started.promisedNanos()));
				}
			}
		}
		open.values().forEach((started) -> holds.add(hold(started, started.promisedNanos())));
		return holds.stream();
	}

	long holdCount() {
		return this.entries.stream()
			.filter((entry) -> entry instanceof Entry.HoldStarted && entry.acquisition().isOuter())
			.count();
	}

	/** Return how many holds were no longer valid when their holders ended them. */
	long losses() {
		return ends().filter((ended) -> ended.acquisition().isOuter() && !ended.held()).count();
	}

	private static Hold hold(Entry.HoldStarted started, long untilNanos) {
		return new Hold(started.acquisition(), started.requestedNanos(), started.earliestNanos(),
				started.startedNanos(), untilNanos);
	}

	private Hold promised(Hold claim) {
		Hold hold = claim;
		for (DataLossWindow dataLoss : this.dataLosses) {
			hold = dataLoss.applyTo(hold);
		}
		return hold;
	}

}
