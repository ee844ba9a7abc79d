package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * A row of the database with its versions, and which of them the callers of a cache may
 * still read.
 */
final class CachedRow {

	/** How long a message about a change takes to arrive where nothing fails. */
	private static final long MESSAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/**
	 * How long the command takes that stores an entry: nothing fails, or a connection.
	 */
	private static final long STORED_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

	private static final long RECONNECTED_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

	/** How long a JVM may use an epoch after a clear. */
	private static final long EPOCH_NANOS = TimeUnit.MILLISECONDS.toNanos(2300);

	private final String key;

	private final @Nullable String tag;

	private final CacheUse use;

	private final LongUnaryOperator delays;

	/** When each version was committed. */
	private final List<Long> commits = new ArrayList<>(List.of(Long.MIN_VALUE));

	private final List<Change> changes = new ArrayList<>();

	private final List<Load> loads = new ArrayList<>();

	private long lossyUntilNanos = Long.MIN_VALUE;

	/** How many clears are in progress. */
	private int clears;

	/** While JVMs may have different epochs. */
	private long epochsFromNanos = Long.MAX_VALUE;

	private long epochsUntilNanos = Long.MIN_VALUE;

	/**
	 * Create a row.
	 * @param delays returns how long faults may delay what begins at a time
	 */
	CachedRow(int number, CacheUse use, LongUnaryOperator delays) {
		this.key = CacheUse.name(number);
		this.tag = use.tag(number);
		this.use = use;
		this.delays = delays;
	}

	String key() {
		return this.key;
	}

	@Nullable String tag() {
		return this.tag;
	}

	long commit(long nowNanos) {
		this.commits.add(nowNanos);
		return this.commits.size() - 1;
	}

	/** Return the version that a transaction sees that began at a time. */
	long versionAt(long nanos) {
		int version = this.commits.size() - 1;
		while (this.commits.get(version) > nanos) {
			version--;
		}
		return version;
	}

	// ---- changes

	/** Begin to evict or put the entry. */
	Change begin(Jvm jvm, long version, boolean put) {
		Change change = new Change(jvm, version, put);
		this.changes.add(change);
		return change;
	}

	/** Whether nobody changes the entry at present. */
	boolean isUnchanged() {
		return this.changes.stream().noneMatch(Change::isInProgress);
	}

	/** Whether nobody puts the entry at present, or may have done so and crashed. */
	boolean isNotPut(long nowNanos) {
		this.changes.stream().filter((change) -> change.put && change.isUndecided()).forEach((change) -> {
			change.ended = true;
			unconfirmedPut(nowNanos);
		});
		return this.changes.stream().noneMatch((change) -> change.put && change.isInProgress());
	}

	void end(Change change, boolean confirmed, long nowNanos) {
		change.ended = true;
		change.endNanos = nowNanos;
		change.confirmed = confirmed;
		if (change.put && !confirmed) {
			unconfirmedPut(nowNanos);
		}
	}

	/** A put that was sent may still arrive, behind later changes. */
	private void unconfirmedPut(long nowNanos) {
		lossyUntil(nowNanos + TimeUnit.MILLISECONDS.toNanos(7000 + this.use.ttlMillis()));
	}

	/** Redis may have lost a change until a time; then the old entry ends. */
	void lossyUntil(long nanos) {
		this.lossyUntilNanos = Math.max(this.lossyUntilNanos, nanos);
	}

	/** Whether Redis may have lost a change after a time. */
	boolean hasLostChangesSince(long nanos) {
		return nanos < this.lossyUntilNanos;
	}

	/** A clear begins, after which JVMs may have different epochs. */
	void clearing(long nowNanos) {
		differentEpochs(nowNanos, nowNanos);
		this.clears++;
	}

	/** A clear has ended, or is not confirmed and may happen at any time. */
	void cleared(boolean confirmed, long untilNanos) {
		this.clears -= confirmed ? 1 : 0;
		this.epochsUntilNanos = Math.max(this.epochsUntilNanos, untilNanos);
	}

	/** Until a time JVMs may have different epochs. */
	void differentEpochs(long nowNanos, long untilNanos) {
		this.epochsFromNanos = haveDifferentEpochs(nowNanos) ? this.epochsFromNanos : nowNanos;
		this.epochsUntilNanos = Math.max(this.epochsUntilNanos, untilNanos);
	}

	private boolean haveDifferentEpochs(long nowNanos) {
		return this.clears > 0 || nowNanos < this.epochsUntilNanos;
	}

	// ---- reads

	/**
	 * Return the oldest version that a call may return which begins now.
	 * @param faultless whether messages arrive
	 * @param late whether all changes have been tried again until they succeeded
	 */
	long oldest(Jvm jvm, long nowNanos, boolean faultless, boolean late) {
		if (nowNanos < this.lossyUntilNanos || (!late && isInGrace(nowNanos, faultless))) {
			return 0;
		}
		return this.changes.stream()
			.filter((change) -> counts(change, jvm, nowNanos, faultless, late))
			.mapToLong(Change::version)
			.max()
			.orElse(0);
	}

	/** Whether a load may read the past, because of the last evict. */
	private boolean isInGrace(long nowNanos, boolean faultless) {
		return this.use.graceMillis() > 0 && this.changes.stream()
			.anyMatch((change) -> !change.ended || nowNanos < graceEndNanos(change, faultless));
	}

	private long graceEndNanos(Change change, boolean faultless) {
		return change.endNanos + TimeUnit.MILLISECONDS.toNanos(this.use.graceMillis())
				+ (faultless ? STORED_NANOS : RECONNECTED_NANOS + this.delays.applyAsLong(change.endNanos));
	}

	private boolean counts(Change change, Jvm jvm, long nowNanos, boolean faultless, boolean late) {
		if (!change.ended) {
			return false;
		}
		if (late) {
			return change.confirmed || !change.jvm.isGone();
		}
		long seenNanos = (this.use.graceMillis() > 0) ? graceEndNanos(change, faultless) : change.endNanos;
		if (change.jvm == jvm) {
			return nowNanos >= seenNanos;
		}
		long copyNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(this.use.localMillis(), this.use.outageMillis()));
		seenNanos += faultless ? Math.min(copyNanos, MESSAGE_NANOS) : copyNanos;
		return change.confirmed && nowNanos >= seenNanos
				&& !(haveDifferentEpochs(nowNanos) && change.endNanos >= this.epochsFromNanos);
	}

	/**
	 * Begin a load.
	 * @return the load that may not run at the same time, if there is one
	 */
	@Nullable Load begin(Load load) {
		Load other = this.loads.stream().filter((each) -> excludes(each, load)).findFirst().orElse(null);
		this.loads.add(load);
		return other;
	}

	private boolean excludes(Load running, Load load) {
		return !running.ended && !running.transaction && !load.transaction
				&& load.beganNanos - running.beganNanos < TimeUnit.MILLISECONDS
					.toNanos(CacheUse.LONGEST_LOAD_MILLIS - 100)
				&& this.changes.stream()
					.noneMatch((change) -> !change.ended
							|| change.endNanos >= Math.min(running.requestedNanos, load.requestedNanos) - EPOCH_NANOS);
	}

	/** A change of the row, and of the entry after it. */
	static final class Change {

		private final Jvm jvm;

		private final long version;

		private final boolean put;

		private long endNanos;

		private boolean ended;

		private boolean confirmed;

		Change(Jvm jvm, long version, boolean put) {
			this.jvm = jvm;
			this.version = version;
			this.put = put;
		}

		long version() {
			return this.version;
		}

		boolean isInProgress() {
			return !this.ended && !this.jvm.isGone();
		}

		boolean isUndecided() {
			return !this.ended && this.jvm.isGone();
		}

	}

	/** A run of a loader. */
	static final class Load {

		private final Jvm jvm;

		private final boolean transaction;

		/** When its caller requested the entry. */
		private final long requestedNanos;

		private final long beganNanos;

		private long value;

		private boolean ended;

		Load(Jvm jvm, boolean transaction, long requestedNanos, long beganNanos) {
			this.jvm = jvm;
			this.transaction = transaction;
			this.requestedNanos = requestedNanos;
			this.beganNanos = beganNanos;
		}

		void read(long value) {
			this.value = value;
		}

		long value() {
			return this.value;
		}

		void end() {
			this.ended = true;
		}

		@Override
		public String toString() {
			return "a load of " + this.jvm.name();
		}

	}

}
