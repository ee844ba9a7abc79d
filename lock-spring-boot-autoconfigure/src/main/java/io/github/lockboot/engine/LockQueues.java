package io.github.lockboot.engine;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.AbandonedAttempts;
import io.github.lockboot.engine.store.FencingTokens;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore;

/**
 * Finds the queues of all locks: by the lock, for callers; and by the owner name of an
 * attempt, for what the store pushes. Has what all queues need. Thread-safe.
 */
final class LockQueues {

	/** Of how many locks the highest token is remembered while nobody wants them. */
	private static final int SEEN_TOKENS = 4096;

	private final LockStore store;

	private final MonotonicClock clock;

	private final LockNotifier notifier;

	private final AbandonedAttempts abandoned;

	private final Runnable onForgotten;

	private final QueuedAttempts queued;

	private final FencingTokens fencingTokens;

	private final ConcurrentMap<String, LockQueue> exclusive = new ConcurrentHashMap<>();

	/** The queues of callers that share a lock. */
	private final ConcurrentMap<String, LockQueue> shared = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, LockQueue> byOwner = new ConcurrentHashMap<>();

	/**
	 * The highest tokens seen of the locks used last: with them tokens grow on even after
	 * a fail-over to a store that lost the last ones and whose clock is behind.
	 */
	private final Map<String, Long> seenTokens = Collections.synchronizedMap(new LinkedHashMap<>(64, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > SEEN_TOKENS;
		}

	});

	private final AtomicLong attemptNumbers = new AtomicLong();

	/**
	 * Create the registry.
	 * @param onForgotten run each time that an attempt is forgotten
	 */
	LockQueues(LockStore store, MonotonicClock clock, LockNotifier notifier, AbandonedAttempts abandoned,
			Runnable onForgotten) {
		this.store = store;
		this.clock = clock;
		this.notifier = notifier;
		this.abandoned = abandoned;
		this.onForgotten = onForgotten;
		this.queued = new QueuedAttempts(store, clock);
		this.fencingTokens = new FencingTokens(store.instance());
	}

	LockStore store() {
		return this.store;
	}

	MonotonicClock clock() {
		return this.clock;
	}

	LockNotifier notifier() {
		return this.notifier;
	}

	QueuedAttempts queued() {
		return this.queued;
	}

	FencingTokens fencingTokens() {
		return this.fencingTokens;
	}

	/** Let a caller wait in the queue of its lock, or in one of its own. */
	LockQueue admit(Waiter waiter) {
		if (waiter.isAlone()) {
			LockQueue queue = newQueue(waiter);
			queue.admit(waiter);
			return queue;
		}
		ConcurrentMap<String, LockQueue> queues = waiter.request().isShared() ? this.shared : this.exclusive;
		while (true) {
			LockQueue queue = queues.computeIfAbsent(waiter.request().name(), (name) -> newQueue(waiter));
			if (queue.admit(waiter)) {
				return queue;
			}
		}
	}

	/** Make a queue to which nobody else is sent. */
	LockQueue newQueue(Waiter first) {
		String lock = first.request().name();
		return new LockQueue(this, lock, first.request().permits(), first.isAlone(),
				this.seenTokens.getOrDefault(lock, 0L));
	}

	/** Send nobody to a queue any more, but remember the highest token it has seen. */
	void remove(LockQueue queue, long seenToken) {
		this.seenTokens.merge(queue.lock(), seenToken, Math::max);
		this.exclusive.remove(queue.lock(), queue);
		this.shared.remove(queue.lock(), queue);
	}

	/** Name an attempt. Its queue is found by that name until it is forgotten. */
	LockOwner newAttempt(LockQueue queue, long leaseMillis) {
		String owner = this.store.instance() + ":" + Long.toString(this.attemptNumbers.incrementAndGet(), 36);
		this.byOwner.put(owner, queue);
		return new LockOwner(queue.lock(), owner, leaseMillis, queue.permits());
	}

	void forget(LockOwner attempt) {
		this.byOwner.remove(attempt.id());
		this.onForgotten.run();
	}

	/**
	 * Release an attempt that waits in the store, or of which it is not known whether it
	 * owns the lock.
	 */
	void abandon(PendingAcquire pending) {
		this.abandoned.release(pending.attempt(), 0, !pending.isUnknown());
		forget(pending.attempt());
	}

	/**
	 * Release an attempt that owned the lock and whose lease we do not trust any more.
	 */
	void abandon(Lease lease) {
		this.abandoned.release(lease.attempt(), lease.lastToken(), !lease.isMaybeTakenLate());
		forget(lease.attempt());
	}

	@Nullable LockQueue find(String owner) {
		return this.byOwner.get(owner);
	}

	/** Return those that have to do with the store, in the order of their attempts. */
	List<LockQueue> withAttempts() {
		return this.byOwner.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey(QueuedAttempts.BY_NUMBER))
			.map(Map.Entry::getValue)
			.toList();
	}

	Set<LockQueue> all() {
		Set<LockQueue> all = Collections.newSetFromMap(new IdentityHashMap<>());
		all.addAll(this.exclusive.values());
		all.addAll(this.shared.values());
		all.addAll(this.byOwner.values());
		return all;
	}

	boolean hasNoAttempts() {
		return this.byOwner.isEmpty();
	}

}
