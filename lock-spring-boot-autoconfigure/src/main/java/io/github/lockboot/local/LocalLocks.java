package io.github.lockboot.local;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockPushes;

/**
 * Locks in the memory of this JVM, shared by all stores that are made upon it.
 */
final class LocalLocks {

	private static final int LOCKS_BEFORE_SWEEP = 1024;

	private final MonotonicClock clock;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Map<String, LocalLock> locks = new HashMap<>();

	private final ConcurrentMap<String, LockPushes> listeners = new ConcurrentHashMap<>();

	private final AtomicInteger instances = new AtomicInteger();

	/** Highest token of all locks that were forgotten; guarded by the mutex. */
	private long forgottenToken;

	private int sweepAt = LOCKS_BEFORE_SWEEP;

	LocalLocks(MonotonicClock clock) {
		this.clock = clock;
	}

	String newInstance() {
		return "local" + this.instances.incrementAndGet();
	}

	void listen(String instance, LockPushes pushes) {
		this.listeners.put(instance, pushes);
	}

	/**
	 * Do something with a lock, then let those hold it who wait, and tell them.
	 * @param name name of the lock
	 * @param change what to do, under the mutex
	 * @param <T> type of its result
	 * @return its result
	 */
	<T> T change(String name, Change<T> change) {
		T result;
		List<LockPushes.Grant> grants;
		this.mutex.lock();
		try {
			long now = this.clock.nanoTime();
			LocalLock lock = this.locks.computeIfAbsent(name, (key) -> new LocalLock(this.forgottenToken));
			result = change.apply(lock, now);
			grants = lock.advance(now);
			sweep(now);
		}
		finally {
			this.mutex.unlock();
		}
		grants.forEach((grant) -> tell(grant.attempt().id(), (pushes) -> pushes.granted(grant)));
		return result;
	}

	/**
	 * Tell the instance to which an attempt belongs, if it listens.
	 * @param owner owner name of the attempt
	 * @param message what to tell
	 */
	void tell(String owner, Consumer<LockPushes> message) {
		int end = owner.indexOf(':');
		LockPushes pushes = (end > 0) ? this.listeners.get(owner.substring(0, end)) : null;
		if (pushes != null) {
			message.accept(pushes);
		}
	}

	/**
	 * Forget an instance and its waiters. What it holds stays until its leases end.
	 * @param instance its name
	 */
	void forget(String instance) {
		this.listeners.remove(instance);
		this.mutex.lock();
		try {
			this.locks.values().forEach((lock) -> lock.forgetWaiters(instance + ":"));
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Forget free locks now and then; their tokens live on in the highest of them. */
	private void sweep(long now) {
		if (this.locks.size() < this.sweepAt) {
			return;
		}
		this.locks.values().removeIf((lock) -> {
			boolean idle = lock.isIdle(now);
			if (idle) {
				this.forgottenToken = Math.max(this.forgottenToken, lock.token());
			}
			return idle;
		});
		this.sweepAt = Math.max(LOCKS_BEFORE_SWEEP, this.locks.size() * 2);
	}

	/** What is done with a lock. */
	interface Change<T> {

		T apply(LocalLock lock, long nowNanos);

	}

}
