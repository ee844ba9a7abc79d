package io.github.lockboot.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.LockState;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.support.LockHolders;

/**
 * One lock in memory: its holders with the ends of their leases, and its waiters. Guarded
 * by the mutex of {@link LocalLocks}.
 */
final class LocalLock {

	private final Map<String, Long> untilNanos = new LinkedHashMap<>();

	/** The waiters by the ids of their attempts, in order. */
	private final Map<String, LockAttempt> waiting = new LinkedHashMap<>();

	private boolean shared;

	private long token;

	LocalLock(long token) {
		this.token = token;
	}

	long token() {
		return this.token;
	}

	boolean isIdle(long nowNanos) {
		return holders(nowNanos).isEmpty() && this.waiting.isEmpty();
	}

	List<String> holders(long nowNanos) {
		this.untilNanos.values().removeIf((until) -> until - nowNanos <= 0);
		return List.copyOf(this.untilNanos.keySet());
	}

	List<String> waiters() {
		return List.copyOf(this.waiting.keySet());
	}

	AcquireReply acquire(LockAttempt attempt, long seenToken, Queueing queueing, long nowNanos) {
		if (isHeldBy(attempt, nowNanos) || (admits(attempt, nowNanos) && this.waiting.isEmpty())) {
			return hold(attempt, seenToken, nowNanos);
		}
		if (!queueing.wanted()) {
			return new AcquireReply.Busy(remainingMillis(nowNanos));
		}
		this.waiting.putIfAbsent(attempt.id(), attempt);
		return new AcquireReply.Queued(remainingMillis(nowNanos), TimeUnit.NANOSECONDS.toMicros(nowNanos), false);
	}

	/** Grant the lock to as many of the first waiters as it admits. */
	List<LockPushes.Grant> advance(long nowNanos) {
		List<LockPushes.Grant> grants = new ArrayList<>();
		Iterator<LockAttempt> waiting = this.waiting.values().iterator();
		while (waiting.hasNext()) {
			LockAttempt first = waiting.next();
			if (!admits(first, nowNanos)) {
				break;
			}
			waiting.remove();
			AcquireReply.Owned held = hold(first, 0, nowNanos);
			grants.add(new LockPushes.Grant(first, held.token(), held.reserved(),
					TimeUnit.NANOSECONDS.toMicros(nowNanos), this.waiting.size()));
		}
		return grants;
	}

	RenewReply renew(LockAttempt attempt, long nowNanos) {
		if (!isHeldBy(attempt, nowNanos)) {
			return new RenewReply.NotOwner();
		}
		lease(attempt, nowNanos);
		if (!this.shared) {
			this.token += TimeUnit.MILLISECONDS.toMicros(attempt.leaseMillis());
		}
		return new RenewReply.Renewed(this.token, this.waiting.size());
	}

	RenewReply downgrade(LockAttempt attempt, long usedToken, long nowNanos) {
		if (!isHeldBy(attempt, nowNanos)) {
			return new RenewReply.NotOwner();
		}
		this.shared = true;
		this.token = (usedToken > 0) ? usedToken : this.token;
		return renew(attempt, nowNanos);
	}

	ReleaseReply release(LockAttempt attempt, long usedToken, long nowNanos) {
		this.waiting.remove(attempt.id());
		if (!isHeldBy(attempt, nowNanos)) {
			return ReleaseReply.NOT_OWNER;
		}
		this.untilNanos.remove(attempt.id());
		if (usedToken > 0 && !this.shared) {
			this.token = usedToken;
		}
		return ReleaseReply.RELEASED;
	}

	ReleaseReply releaseLater(LockAttempt attempt, long usedToken, long nowNanos) {
		this.waiting.remove(attempt.id());
		if (!isHeldBy(attempt, nowNanos)) {
			return ReleaseReply.NOT_OWNER;
		}
		lease(attempt, nowNanos);
		if (usedToken > 0 && !this.shared) {
			this.token = usedToken;
		}
		return ReleaseReply.RELEASED;
	}

	/** Remove all holders, and return them. */
	List<String> clear(long nowNanos) {
		List<String> holders = holders(nowNanos);
		this.untilNanos.clear();
		return holders;
	}

	void removeWaiters(String ownerPrefix) {
		this.waiting.keySet().removeIf((owner) -> owner.startsWith(ownerPrefix));
	}

	LockState state(String name, long nowNanos) {
		List<String> holders = holders(nowNanos);
		if (holders.isEmpty()) {
			return new LockState(name, null, null, this.token, 0, this.waiting.size());
		}
		return new LockState(name, this.shared ? "shared" : holders.get(0),
				Duration.ofMillis(remainingMillis(nowNanos)), this.token, holders.size(), this.waiting.size(),
				holders.stream().limit(LockHolders.MOST_SHOWN).map(LockState.Holder::unknown).toList());
	}

	private boolean admits(LockAttempt attempt, long nowNanos) {
		int holders = holders(nowNanos).size();
		return holders == 0 || (this.shared && holders < attempt.permits());
	}

	private boolean isHeldBy(LockAttempt attempt, long nowNanos) {
		return holders(nowNanos).contains(attempt.id());
	}

	private AcquireReply.Owned hold(LockAttempt attempt, long seenToken, long nowNanos) {
		this.waiting.remove(attempt.id());
		Long before = this.untilNanos.get(attempt.id());
		lease(attempt, nowNanos);
		// an owner that repeats its request keeps the rest of a longer lease
		if (before != null) {
			this.untilNanos.merge(attempt.id(), before, (now, then) -> (then - now > 0) ? then : now);
		}
		this.shared = attempt.permits() > 1;
		long token = Math.max(this.token, seenToken) + (this.shared ? 0 : 1);
		this.token = this.shared ? token : token + TimeUnit.MILLISECONDS.toMicros(attempt.leaseMillis());
		return new AcquireReply.Owned(token, this.token, this.waiting.size());
	}

	private void lease(LockAttempt attempt, long nowNanos) {
		this.untilNanos.put(attempt.id(), nowNanos + TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()));
	}

	long remainingMillis(long nowNanos) {
		long longest = this.untilNanos.values().stream().mapToLong((until) -> until - nowNanos).max().orElse(0);
		return TimeUnit.NANOSECONDS.toMillis(longest);
	}

}
