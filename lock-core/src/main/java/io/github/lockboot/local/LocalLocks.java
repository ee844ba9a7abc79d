package io.github.lockboot.local;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockPushes;

/** Locks in the memory of this JVM, shared by several stores. Thread-safe. */
final class LocalLocks implements LockAdministration.Instances {

	private static final int LOCKS_BEFORE_SWEEP = 1024;

	private final MonotonicClock clock;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Map<String, LocalLock> locks = new HashMap<>();

	private final ConcurrentMap<String, LockPushes> pushes = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, String> texts = new ConcurrentHashMap<>();

	private final AtomicInteger instances = new AtomicInteger();

	/** Highest token of all removed locks; guarded by the mutex. */
	private long removedToken;

	private int sweepAt = LOCKS_BEFORE_SWEEP;

	LocalLocks(MonotonicClock clock) {
		this.clock = clock;
	}

	String newInstance() {
		return "local" + this.instances.incrementAndGet();
	}

	void listen(String instance, LockPushes pushes) {
		this.pushes.put(instance, pushes);
	}

	/**
	 * Change a lock under the mutex, grant the lock to waiters if it is free, and push
	 * the grants.
	 */
	<T> T change(String name, Change<T> change) {
		T result;
		List<LockPushes.Grant> grants;
		this.mutex.lock();
		try {
			long now = this.clock.nanoTime();
			LocalLock lock = this.locks.computeIfAbsent(name, (key) -> new LocalLock(this.removedToken));
			result = change.apply(lock, now);
			grants = lock.advance(now);
			sweep(now);
		}
		finally {
			this.mutex.unlock();
		}
		grants.forEach((grant) -> push(grant.attempt().id(), (pushes) -> pushes.granted(grant)));
		return result;
	}

	List<String> heldNames() {
		this.mutex.lock();
		try {
			long now = this.clock.nanoTime();
			return this.locks.entrySet()
				.stream()
				.filter((lock) -> !lock.getValue().holders(now).isEmpty())
				.map(Map.Entry::getKey)
				.toList();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Push a message to the instance of an attempt, if it listens. */
	void push(String attempt, Consumer<LockPushes> message) {
		int end = attempt.indexOf(':');
		LockPushes pushes = (end > 0) ? this.pushes.get(attempt.substring(0, end)) : null;
		if (pushes != null) {
			message.accept(pushes);
		}
	}

	/** Remove an instance and its waiters. Its locks stay until their leases expire. */
	void remove(String instance) {
		this.pushes.remove(instance);
		this.texts.remove(instance);
		this.mutex.lock();
		try {
			this.locks.values().forEach((lock) -> lock.removeWaiters(instance + ":"));
		}
		finally {
			this.mutex.unlock();
		}
	}

	@Override
	public CompletionStage<Void> write(String instance, String text, long lifeMillis) {
		this.texts.put(instance, text);
		return CompletableFuture.completedStage(null);
	}

	@Override
	public CompletionStage<String> read(String instance) {
		return CompletableFuture.completedStage(this.texts.getOrDefault(instance, ""));
	}

	/** Remove idle locks from time to time, and keep the highest token of these locks. */
	private void sweep(long now) {
		if (this.locks.size() < this.sweepAt) {
			return;
		}
		this.locks.values().removeIf((lock) -> {
			boolean idle = lock.isIdle(now);
			if (idle) {
				this.removedToken = Math.max(this.removedToken, lock.token());
			}
			return idle;
		});
		this.sweepAt = Math.max(LOCKS_BEFORE_SWEEP, this.locks.size() * 2);
	}

	/** A change of a lock. */
	interface Change<T> {

		T apply(LocalLock lock, long nowNanos);

	}

}
