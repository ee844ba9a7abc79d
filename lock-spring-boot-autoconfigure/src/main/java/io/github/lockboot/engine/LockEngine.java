package io.github.lockboot.engine;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;

/**
 * The lanes of all locks over one store, and what they share: the clock, the names of the
 * attempts, and the ways to tell users.
 */
final class LockEngine implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LockEngine.class);

	private final LockStore store;

	private final LockClock clock;

	private final ListenerGuard listeners;

	private final AbandonedAttempts abandoned;

	private final ConcurrentMap<String, Lane> lanes = new ConcurrentHashMap<>();

	private final String ownerPrefix = Long.toUnsignedString(new SecureRandom().nextLong(), 36) + ":";

	private final AtomicLong attempts = new AtomicLong();

	private final ThreadPoolExecutor callbacks = Callbacks.newExecutor();

	LockEngine(LockStore store, LockClock clock, List<LockListener> listeners) {
		this.store = store;
		this.clock = clock;
		this.listeners = new ListenerGuard(listeners);
		this.abandoned = new AbandonedAttempts(store, clock);
	}

	LockStore store() {
		return this.store;
	}

	LockClock clock() {
		return this.clock;
	}

	ListenerGuard listeners() {
		return this.listeners;
	}

	/**
	 * Let a caller wait for its lock.
	 * @param waiter the caller
	 * @return the lane in which it waits
	 */
	Lane submit(Waiter waiter) {
		String lock = waiter.request().name();
		while (true) {
			Lane lane = this.lanes.computeIfAbsent(lock, (name) -> new Lane(this, name));
			if (lane.admit(waiter)) {
				return lane;
			}
		}
	}

	void retire(String lock, Lane lane) {
		this.lanes.remove(lock, lane);
	}

	Attempt newAttempt(String lock, long leaseMillis) {
		return new Attempt(lock, this.ownerPrefix + Long.toString(this.attempts.incrementAndGet(), 36), leaseMillis);
	}

	/**
	 * Release an attempt of which it is not known whether it owns the lock.
	 * @param pursuit its course
	 */
	void abandon(Pursuit pursuit) {
		this.abandoned.release(pursuit.attempt(), 0, pursuit.sentNanos(), false);
	}

	/**
	 * Release an attempt that owned the lock and whose lease we do not trust any more.
	 * @param lease its lease
	 */
	void abandon(Lease lease) {
		this.abandoned.release(lease.attempt(), lease.lastToken(), this.clock.nanoTime(), true);
	}

	void tellAcquired(Hold hold, long startNanos) {
		if (!this.listeners.isEmpty()) {
			this.listeners.onAcquired(hold.request(), hold, since(startNanos));
		}
	}

	void tellReleased(Hold hold) {
		if (!this.listeners.isEmpty() && hold.loss() == null) {
			this.listeners.onReleased(hold.request(), hold, since(hold.sinceNanos()));
		}
	}

	void tellRenewed(Hold hold) {
		if (!this.listeners.isEmpty()) {
			callBack(() -> this.listeners.onRenewed(hold.request(), hold));
		}
	}

	void tellLost(Hold hold, LockLostException loss) {
		logger.warn(loss.getMessage() + "; fencing token " + loss.fencingToken());
		List<Runnable> callbacks = hold.lost(loss);
		callbacks.forEach(this::callBack);
		if (!this.listeners.isEmpty()) {
			callBack(() -> this.listeners.onLost(hold.request(), hold, loss));
		}
	}

	void callBack(Runnable callback) {
		this.callbacks.execute(() -> {
			try {
				callback.run();
			}
			catch (RuntimeException | Error ex) {
				logger.warn("A callback for a lost lock failed", ex);
			}
		});
	}

	/**
	 * Wait for the store's answer to a release; it comes within the store's time limit.
	 * An interrupted thread does not wait.
	 * @param done completed with the answer
	 */
	void awaitRelease(CompletableFuture<?> done) {
		try {
			done.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A release is never completed exceptionally", ex);
		}
	}

	Duration since(long nanos) {
		return Duration.ofNanos(this.clock.nanoTime() - nanos);
	}

	@Override
	public void close() {
		this.clock.close();
		this.store.close();
		this.callbacks.shutdown();
	}

	/**
	 * The threads for users' code: none while nothing is to be told.
	 */
	private static final class Callbacks {

		private static final int THREADS = 4;

		private static final long IDLE_SECONDS = 5;

		private Callbacks() {
		}

		static ThreadPoolExecutor newExecutor() {
			ThreadPoolExecutor executor = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
					new java.util.concurrent.LinkedBlockingQueue<>(), (task) -> {
						Thread thread = new Thread(task, "lock-callback");
						thread.setDaemon(true);
						return thread;
					}, new ThreadPoolExecutor.DiscardPolicy());
			executor.allowCoreThreadTimeOut(true);
			return executor;
		}

	}

}
