package io.github.lockboot.engine;

import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Where the lanes of all locks are found: by the lock, for callers; and by the owner name
 * of an attempt, for what the store pushes. Thread-safe.
 */
final class Lanes {

	/** A number with more digits is greater, whatever its base. */
	static final Comparator<String> BY_NUMBER = Comparator.comparingInt(String::length)
		.thenComparing(Comparator.naturalOrder());

	private final LockEngine engine;

	private final ConcurrentMap<String, Lane> exclusive = new ConcurrentHashMap<>();

	/** The lanes of those who share a lock, in a lane of their own beside the others. */
	private final ConcurrentMap<String, Lane> shared = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, Lane> byOwner = new ConcurrentHashMap<>();

	private final String ownerPrefix;

	private final AtomicLong attemptNumbers = new AtomicLong();

	private final SeenTokens seenTokens = new SeenTokens();

	/**
	 * Create a place without lanes.
	 * @param engine what all lanes share
	 * @param instance what tells the attempts of this JVM from those of others
	 */
	Lanes(LockEngine engine, String instance) {
		this.engine = engine;
		this.ownerPrefix = instance + ":";
	}

	/**
	 * Let a caller wait in the lane of its lock, or in one of its own.
	 * @param waiter the caller
	 * @return the lane
	 */
	Lane admit(Waiter waiter) {
		if (waiter.isAlone()) {
			Lane lane = newLane(waiter);
			lane.admit(waiter);
			return lane;
		}
		ConcurrentMap<String, Lane> lanes = waiter.request().isShared() ? this.shared : this.exclusive;
		while (true) {
			Lane lane = lanes.computeIfAbsent(waiter.request().name(), (name) -> newLane(waiter));
			if (lane.admit(waiter)) {
				return lane;
			}
		}
	}

	/**
	 * Make a lane to which nobody else is sent.
	 * @param first the caller it is for
	 * @return the lane
	 */
	Lane newLane(Waiter first) {
		String lock = first.request().name();
		return new Lane(this.engine, lock, first.request().permits(), first.isAlone(), this.seenTokens.get(lock));
	}

	/**
	 * Send nobody to a lane any more, but remember the highest token it has seen.
	 * @param lane the lane
	 * @param seenToken its token
	 */
	void retire(Lane lane, long seenToken) {
		this.seenTokens.put(lane.lock(), seenToken);
		this.exclusive.remove(lane.lock(), lane);
		this.shared.remove(lane.lock(), lane);
	}

	/**
	 * Name an attempt. Its lane is found by that name until it is forgotten.
	 * @param lane the lane
	 * @param leaseMillis the lease to ask for in milliseconds
	 * @return the attempt
	 */
	Attempt newAttempt(Lane lane, long leaseMillis) {
		String owner = this.ownerPrefix + Long.toString(this.attemptNumbers.incrementAndGet(), 36);
		this.byOwner.put(owner, lane);
		return new Attempt(lane.lock(), owner, leaseMillis, lane.permits());
	}

	void forget(Attempt attempt) {
		this.byOwner.remove(attempt.owner());
	}

	/**
	 * Find a lane.
	 * @param owner name of one of its attempts
	 * @return the lane; {@code null} if the attempt is forgotten
	 */
	@Nullable Lane find(String owner) {
		return this.byOwner.get(owner);
	}

	/**
	 * Return the lanes that have to do with the store.
	 * @return a copy, in the order in which their attempts began
	 */
	List<Lane> withAttempts() {
		return this.byOwner.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey(BY_NUMBER))
			.map(Map.Entry::getValue)
			.toList();
	}

	/**
	 * Return all lanes that are found anywhere.
	 * @return a copy, each lane once
	 */
	Set<Lane> all() {
		Set<Lane> all = Collections.newSetFromMap(new IdentityHashMap<>());
		all.addAll(this.exclusive.values());
		all.addAll(this.shared.values());
		all.addAll(this.byOwner.values());
		return all;
	}

	boolean hasNoAttempts() {
		return this.byOwner.isEmpty();
	}

}
