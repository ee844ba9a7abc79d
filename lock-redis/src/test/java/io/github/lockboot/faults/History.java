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

	/**
	 * A time in which the store may have lost leases, or in which two servers may have
	 * granted them. A lease that was requested before its end excludes nobody after its
	 * start.
	 *
	 * @param locks the locks whose leases may be lost, or their families
	 * @param fromNanos before the data were lost
	 * @param toNanos when all holders have noticed
	 * @param twoMasters whether a former master may have granted and renewed leases
	 * meanwhile
	 */
	record DataLossWindow(Set<String> locks, long fromNanos, long toNanos, boolean twoMasters) {

		/**
		 * Return a window that ends one lease time after the servers are healthy again.
		 * Until then a JVM may still pass on a lease that is lost.
		 * @param locks the locks whose leases may be lost
		 * @param fromNanos before the data were lost
		 * @param twoMasters whether a former master may have granted leases meanwhile
		 */
		static DataLossWindow since(Set<String> locks, long fromNanos, boolean twoMasters) {
			return new DataLossWindow(locks, fromNanos, System.nanoTime() + FaultRun.LEASE.toNanos(), twoMasters);
		}

		DataLossWindow {
			locks = Set.copyOf(locks);
		}

		/**
		 * Whether a lease may be lost at a given time.
		 * @param requestedNanos when the lease was requested
		 */
		boolean covers(String lock, long requestedNanos, long nanos) {
			return LockNames.contains(this.locks, lock) && requestedNanos < this.toNanos && nanos > this.fromNanos;
		}

		/**
		 * Shorten a hold whose lease may be lost.
		 * @return the hold, for as long as mutual exclusion is promised
		 */
		Hold applyTo(Hold hold) {
			boolean lost = covers(hold.acquisition().lock(), hold.requestedNanos(), Long.MAX_VALUE);
			return lost ? hold.lostAt(this.fromNanos, this.twoMasters) : hold;
		}

	}

	/**
	 * A time in which no server could reply, so that no lease was renewed.
	 *
	 * @param locks the locks of those servers, or their families
	 * @param fromNanos after they had stopped replying
	 * @param toNanos before they could reply again
	 */
	record OutageWindow(Set<String> locks, long fromNanos, long toNanos) {

		OutageWindow {
			locks = Set.copyOf(locks);
		}

		/**
		 * Whether every lease has ended by a given time within this window.
		 * @return true if nobody can hold the lock then
		 */
		boolean outlasts(String lock, long nanos) {
			return LockNames.contains(this.locks, lock) && nanos <= this.toNanos
					&& nanos > this.fromNanos + FaultRun.LEASE.toNanos();
		}

	}

	/**
	 * A time after which the store has none of the leases that it granted before, so that
	 * none can be renewed.
	 *
	 * @param locks the locks, or their families
	 * @param fromNanos before the leases became invalid
	 * @param toNanos after the leases became invalid
	 */
	record LeaseInvalidation(Set<String> locks, long fromNanos, long toNanos) {

		LeaseInvalidation {
			locks = Set.copyOf(locks);
		}

		/**
		 * Whether a hold that started before was considered valid for longer than a lease
		 * afterwards.
		 * @return true if its holder should have been notified of the loss
		 */
		boolean isOutlivedBy(Hold hold) {
			return LockNames.contains(this.locks, hold.acquisition().lock()) && hold.startedNanos() < this.fromNanos
					&& hold.untilNanos() > this.toNanos + FaultRun.LEASE.toNanos();
		}

	}

}
