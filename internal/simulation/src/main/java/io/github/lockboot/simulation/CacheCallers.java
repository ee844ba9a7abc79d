package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.engine.SimulatedCache;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.simulation.Rules.Violation;
import io.github.lockboot.simulation.server.Rights;

/** The users of the cache: they read and change entries, and check what they read. */
final class CacheCallers {

	/** How long an epoch is used, and the network may take to bring it. */
	private static final long EPOCH_NANOS = TimeUnit.MILLISECONDS.toNanos(2300);

	/** For how long the past of a lost Redis may show: loads, transactions, packets. */
	private static final long LOST_MILLIS = 9000;

	private final World world;

	private final CacheUse use;

	private final List<CachedRow> rows;

	private final Map<Jvm, SimulatedCache> caches = new HashMap<>();

	private final List<Read> reads = new ArrayList<>();

	private final boolean faultless;

	/** Whether loaders read what was, by old transactions or replicas. */
	private final boolean readsPast;

	private boolean late;

	CacheCallers(World world, History history, CacheUse use, List<Jvm> jvms) {
		this.world = world;
		this.use = use;
		this.rows = IntStream.range(0, use.keys())
			.mapToObj((key) -> new CachedRow(key, use, world::delayedNanos))
			.toList();
		this.faultless = history.isFaultless();
		this.readsPast = use.graceMillis() > 0 || history.decisions()
			.stream()
			.anyMatch((decision) -> decision.kind() == Decision.Kind.READ && decision.second() > 0);
		jvms.forEach((jvm) -> this.caches.put(jvm, jvm.newCache(use::settings, use.shape(this.caches.size()))));
	}

	private long now() {
		return this.world.scheduler().nowNanos();
	}

	private SimulatedCache cache(Jvm jvm) {
		return Objects.requireNonNull(this.caches.get(jvm));
	}

	private CachedRow row(Decision decision) {
		return this.rows.get(decision.lock() % this.rows.size());
	}

	private void after(Jvm jvm, long millis, Runnable task) {
		this.world.scheduler().after(jvm.machine(), TimeUnit.MILLISECONDS.toNanos(millis), () -> {
			try {
				if (!jvm.isGone()) {
					task.run();
				}
			}
			catch (Violation ex) { // which a stage would hide
				this.world.fail(Objects.requireNonNull(ex.getMessage()));
			}
		});
	}

	void happen(Jvm jvm, Decision decision) {
		if (!jvm.isGone()) {
			after(jvm, 0, () -> {
				switch (decision.kind()) {
					case READ -> read(jvm, decision, false);
					case EVICT_ENTRY -> evict(jvm, row(decision));
					case PUT -> put(jvm, row(decision), decision.has(Decision.IF_NEWER));
					case EVICT_TAG -> clear(jvm, row(decision).tag());
					default -> clear(jvm, null);
				}
			});
		}
	}

	// ---- reads

	private void read(Jvm jvm, Decision decision, boolean probe) {
		CachedRow row = row(decision);
		long began = now();
		Long snapshot = (decision.second() > 0) ? began - TimeUnit.MILLISECONDS.toNanos(decision.second()) : null;
		Read read = new Read(jvm, row, decision, this.reads.size(), began, snapshot,
				row.oldest(jvm, began, this.faultless, this.late), probe);
		this.reads.add(read);
		this.world.note(() -> read + " requests " + row.key()
				+ ((snapshot != null) ? " in a transaction that began " + decision.second() + " ms ago" : ""));
		cache(jvm).read(row.key(), row.tag(), snapshot, () -> load(read)).whenComplete((value, failure) -> {
			try {
				answered(read, value, failure);
			}
			catch (Violation ex) { // which the stage would hide
				this.world.fail(Objects.requireNonNull(ex.getMessage()));
			}
		});
	}

	private CompletionStage<Long> load(Read read) {
		CachedRow.Load load = new CachedRow.Load(read.jvm, read.snapshot != null, read.beganNanos, now());
		this.world.note(() -> read + " loads " + read.row.key());
		CachedRow.Load other = read.row.begin(load);
		if (other != null && this.faultless) {
			this.world.fail(read + " loads " + read.row.key() + " beside " + other);
		}
		boolean atEnd = read.decision.has(Decision.AT_END);
		if (!atEnd) {
			load.read(version(read));
		}
		CompletableFuture<Long> loaded = new CompletableFuture<>();
		after(read.jvm, read.decision.first(), () -> {
			if (atEnd) {
				load.read(version(read));
			}
			load.end();
			this.world.note(() -> read + " has loaded version " + load.value());
			if (read.decision.has(Decision.FAILS)) {
				read.cancelled = read.number % 2 == 1;
				loaded.completeExceptionally(read.cancelled ? new CancellationException() : new LoadFailed());
			}
			else {
				read.loaded = load.value();
				loaded.complete(load.value());
			}
		});
		return loaded;
	}

	private long version(Read read) {
		Long snapshot = read.snapshot;
		return read.row
			.versionAt(((snapshot != null) ? snapshot : now()) - TimeUnit.MILLISECONDS.toNanos(this.use.lagMillis()));
	}

	private void answered(Read read, @Nullable Long value, @Nullable Throwable failure) {
		read.answered = true;
		if (value == null) {
			this.world.trace(1);
			this.world.note(() -> read + " fails: " + failure);
			// a cancellation is that of its own caller
			if (failure == null || !(read.cancelled || StageFailure.cause(failure) instanceof LoadFailed)) {
				throw new Violation(read + " fails: " + failure);
			}
			return;
		}
		this.world.trace(value);
		this.world.note(() -> read + " gets version " + value);
		boolean own = read.snapshot != null && value == read.loaded;
		if (value < read.oldest && !own && !read.row.hasLostChangesSince(read.beganNanos)) {
			throw new Violation(
					read + " gets version " + value + " of " + read.row.key() + " after version " + read.oldest);
		}
	}

	// ---- changes

	private void evict(Jvm jvm, CachedRow row) {
		if (!row.isNotPut(now())) {
			after(jvm, 5, () -> evict(jvm, row));
			return;
		}
		long version = row.commit(now());
		this.world.note(() -> jvm.name() + " writes version " + version + " of " + row.key() + " and evicts it");
		CachedRow.Change change = row.begin(jvm, version, false);
		ends(cache(jvm).evict(row.key(), this.use.graceMillis()), row, change);
	}

	/** Changes of one row by puts have an order: as if they held a lock. */
	private void put(Jvm jvm, CachedRow row, boolean ifNewer) {
		if (!row.isNotPut(now()) || !row.isUnchanged() || !cache(jvm).isConnected()) {
			after(jvm, 5, () -> put(jvm, row, ifNewer));
			return;
		}
		long version = row.commit(now());
		this.world.note(() -> jvm.name() + " writes version " + version + " of " + row.key() + " and puts it"
				+ (ifNewer ? ", if newer" : ""));
		CachedRow.Change change = row.begin(jvm, version, true);
		ends(cache(jvm).put(row.key(), row.tag(), version, ifNewer), row, change);
	}

	/** Clears the cache, or evicts the entries of a tag. */
	private void clear(Jvm jvm, @Nullable String tag) {
		List<CachedRow> cleared = this.rows.stream().filter((row) -> tag == null || tag.equals(row.tag())).toList();
		if (!cleared.stream().allMatch((row) -> row.isNotPut(now()))) {
			after(jvm, 5, () -> clear(jvm, tag));
			return;
		}
		this.world.note(() -> jvm.name() + " writes a version of all entries"
				+ ((tag != null) ? " of " + tag + " and evicts it" : " and clears the cache"));
		long began = now();
		List<CachedRow.Change> changes = cleared.stream()
			.map((row) -> row.begin(jvm, row.commit(began), false))
			.toList();
		cleared.forEach((row) -> row.clearing(began));
		CompletableFuture<?> reply = (tag != null) ? cache(jvm).evictTag(tag) : cache(jvm).clear();
		for (int i = 0; i < changes.size(); i++) {
			ends(reply, cleared.get(i), changes.get(i));
		}
		reply.whenComplete(
				(done, failure) -> cleared.forEach((row) -> row.cleared(failure == null, now() + EPOCH_NANOS)));
	}

	private void ends(CompletableFuture<?> reply, CachedRow row, CachedRow.Change change) {
		reply.whenComplete((done, failure) -> {
			row.end(change, failure == null, now());
			this.world.trace(change.version());
			this.world.note(() -> "version " + change.version() + " of " + row.key() + " is "
					+ ((failure == null) ? "confirmed" : "not confirmed: " + failure));
		});
	}

	// ---- faults

	/** Redis may lose what it has confirmed. */
	void happens(Decision fault, Node master) {
		long until = now() + TimeUnit.MILLISECONDS.toNanos(fault.first() + fault.second());
		switch (fault.kind()) {
			case EVICT -> {
				evictAll(master, row(fault));
				tombstonesLost(until);
			}
			case RESTART_EMPTY -> {
				this.rows.forEach((row) -> row.differentEpochs(now(), until + EPOCH_NANOS));
				tombstonesLost(until);
			}
			case FAIL_OVER, RESTART_OLD, STEP -> lossy(until);
			default -> {
				// loses nothing
			}
		}
	}

	/** Those who read the past may store it. */
	private void tombstonesLost(long nanos) {
		if (this.readsPast) {
			lossy(nanos);
		}
	}

	private void lossy(long nanos) {
		long lostNanos = TimeUnit.MILLISECONDS.toNanos(LOST_MILLIS + this.use.ttlMillis());
		this.rows.forEach((row) -> row.lossyUntil(nanos + lostNanos));
	}

	private static void evictAll(Node master, CachedRow row) {
		int connection = master.redis().connect(Rights.ALL);
		if (master.redis().execute(connection, "KEYS", "cache:*") instanceof List<?> keys) {
			keys.stream()
				.map(String.class::cast)
				.filter((key) -> key.contains(":" + row.key() + "}") || key.endsWith(":tags"))
				.forEach(master.redis()::evict);
		}
		master.redis().disconnect(connection);
	}

	// ---- the end

	/** Reads each entry in each JVM, long after the last fault. */
	void probe(List<Jvm> jvms, long atMillis) {
		this.late = true;
		for (Jvm jvm : jvms) {
			for (int key = 0; key < this.rows.size(); key++) {
				Decision decision = new Decision(atMillis, Decision.Kind.READ, 0, key, 1, 0, 0);
				after(jvm, 0, () -> read(jvm, decision, true));
			}
		}
	}

	void checkAnswered() {
		for (Read read : this.reads) {
			if (!read.answered && !read.jvm.isGone()) {
				throw new Violation(read + " is never answered");
			}
		}
	}

	void checkMemory() {
		this.caches.forEach((jvm, cache) -> {
			if (!jvm.isGone() && !cache.left().isEmpty()) {
				throw new Violation(jvm.name() + " still has in memory: " + cache.left());
			}
		});
	}

	/** One call for an entry. */
	private static final class Read {

		private final Jvm jvm;

		private final CachedRow row;

		private final Decision decision;

		private final int number;

		private final long beganNanos;

		/** When its transaction began. */
		private final @Nullable Long snapshot;

		private final long oldest;

		private final boolean probe;

		private boolean answered;

		private boolean cancelled;

		private long loaded = -1;

		Read(Jvm jvm, CachedRow row, Decision decision, int number, long beganNanos, @Nullable Long snapshot,
				long oldest, boolean probe) {
			this.jvm = jvm;
			this.row = row;
			this.decision = decision;
			this.number = number;
			this.beganNanos = beganNanos;
			this.snapshot = snapshot;
			this.oldest = oldest;
			this.probe = probe;
		}

		@Override
		public String toString() {
			return this.jvm.name() + " (read " + this.number + (this.probe ? ", long after the last fault)" : ")");
		}

	}

	/** A loader fails. */
	private static final class LoadFailed extends RuntimeException {

		private static final long serialVersionUID = 1L;

		LoadFailed() {
			super("the loader fails", null, false, false);
		}

	}

}
