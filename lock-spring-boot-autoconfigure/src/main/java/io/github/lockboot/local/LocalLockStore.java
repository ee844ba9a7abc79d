package io.github.lockboot.local;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.AcquireReply;
import io.github.lockboot.engine.Attempt;
import io.github.lockboot.engine.LockClock;
import io.github.lockboot.engine.LockStore;
import io.github.lockboot.engine.ReleaseReply;
import io.github.lockboot.engine.RenewReply;

/**
 * Leases in the memory of this JVM, with the expiry of a real store. Answers at once.
 */
final class LocalLockStore implements LockStore {

	private static final int ENTRIES_BEFORE_SWEEP = 1024;

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private final LockClock clock;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Map<String, Entry> entries = new HashMap<>();

	/** Highest token of all locks that were forgotten; guarded by the mutex. */
	private long forgottenToken;

	private int sweepAt = ENTRIES_BEFORE_SWEEP;

	LocalLockStore(LockClock clock) {
		this.clock = clock;
	}

	@Override
	public CompletionStage<AcquireReply> acquire(Attempt attempt, long seenToken) {
		this.mutex.lock();
		try {
			long now = this.clock.nanoTime();
			Entry entry = this.entries.computeIfAbsent(attempt.lock(), (lock) -> new Entry(this.forgottenToken));
			if (entry.isOwned(now) && !attempt.owner().equals(entry.owner)) {
				return done(new AcquireReply.Busy(TimeUnit.NANOSECONDS.toMillis(entry.untilNanos - now)));
			}
			long token = Math.max(entry.token, seenToken) + 1;
			entry.own(attempt, now, token);
			sweep(now);
			return done(new AcquireReply.Owned(token, entry.token));
		}
		finally {
			this.mutex.unlock();
		}
	}

	@Override
	public CompletionStage<RenewReply> renew(Attempt attempt) {
		this.mutex.lock();
		try {
			long now = this.clock.nanoTime();
			Entry entry = owned(attempt, now);
			if (entry == null) {
				return done(NOT_OWNER);
			}
			entry.own(attempt, now, entry.token);
			return done(new RenewReply.Renewed(entry.token));
		}
		finally {
			this.mutex.unlock();
		}
	}

	@Override
	public CompletionStage<ReleaseReply> release(Attempt attempt, long usedToken) {
		this.mutex.lock();
		try {
			Entry entry = owned(attempt, this.clock.nanoTime());
			if (entry == null) {
				return done(ReleaseReply.NOT_OWNER);
			}
			entry.owner = null;
			if (usedToken > 0) {
				entry.token = usedToken;
			}
			return done(ReleaseReply.RELEASED);
		}
		finally {
			this.mutex.unlock();
		}
	}

	@Override
	public void close() {
	}

	private @Nullable Entry owned(Attempt attempt, long now) {
		Entry entry = this.entries.get(attempt.lock());
		return (entry != null && entry.isOwned(now) && attempt.owner().equals(entry.owner)) ? entry : null;
	}

	/** Forget free locks now and then; their tokens live on in the highest of them. */
	private void sweep(long now) {
		if (this.entries.size() < this.sweepAt) {
			return;
		}
		this.entries.values().removeIf((entry) -> {
			boolean free = !entry.isOwned(now);
			if (free) {
				this.forgottenToken = Math.max(this.forgottenToken, entry.token);
			}
			return free;
		});
		this.sweepAt = Math.max(ENTRIES_BEFORE_SWEEP, this.entries.size() * 2);
	}

	private static <T> CompletionStage<T> done(T reply) {
		return CompletableFuture.completedStage(reply);
	}

	/**
	 * One lock.
	 */
	private static final class Entry {

		private @Nullable String owner;

		private long untilNanos;

		private long token;

		Entry(long token) {
			this.token = token;
		}

		boolean isOwned(long now) {
			return this.owner != null && this.untilNanos - now > 0;
		}

		void own(Attempt attempt, long now, long token) {
			this.owner = attempt.owner();
			this.untilNanos = now + TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis());
			this.token = token + TimeUnit.MILLISECONDS.toMicros(attempt.leaseMillis());
		}

	}

}
