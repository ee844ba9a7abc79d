package io.github.lockboot.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockActivity.Renewal;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockOwner;

/**
 * Notifies users of what happens to their locks, by listeners, callbacks and the log. The
 * end of a hold is notified once, after its beginning. Thread-safe.
 */
final class LockNotifier implements AutoCloseable {

	private static final int RECENT_LOSSES = 100;

	private static final Log logger = LogFactory.getLog(LockNotifier.class);

	private final MonotonicClock clock;

	private final CompositeLockListener listeners;

	private final BlockingDeque<LockActivity.Lost> losses = new LinkedBlockingDeque<>(RECENT_LOSSES);

	private final SlowestRenewal slowestRenewal;

	/**
	 * For answers to callers, and whatever else must not wait for code that may block.
	 */
	private final Callbacks deliveries = new Callbacks("lock-delivery");

	/** For users' code that may block. */
	private final Callbacks callbacks = new Callbacks("lock-callback");

	LockNotifier(MonotonicClock clock, List<LockListener> listeners) {
		this.clock = clock;
		this.listeners = new CompositeLockListener(listeners);
		this.slowestRenewal = new SlowestRenewal(clock.nanoTime());
	}

	CompositeLockListener listeners() {
		return this.listeners;
	}

	LockActivity complete(ActivityReport report) {
		return report.complete(List.copyOf(this.losses), this.slowestRenewal.get(this.clock.nanoTime()));
	}

	void acquired(Hold hold, Waiter.Call call) {
		if (!call.listeners().isEmpty()) {
			call.listeners().onAcquired(hold.request(), hold, since(call.startNanos()));
		}
		if (hold.handOut(call.listeners())) { // it has ended meanwhile
			LockLostException loss = hold.loss();
			if (loss != null) {
				lost(hold, loss, call.listeners());
			}
			else {
				released(hold, call.listeners());
			}
		}
	}

	void released(Hold hold) {
		CompositeLockListener listeners = this.listeners.isEmpty() ? null : hold.endForListeners();
		if (listeners != null) {
			released(hold, listeners);
		}
	}

	private void released(Hold hold, CompositeLockListener listeners) {
		listeners.onReleased(hold.request(), hold, since(hold.sinceNanos()));
	}

	void renewed(Hold hold, LockOwner renewed, long tookNanos, Duration lease, long leftNanos) {
		this.slowestRenewal.add(renewed, tookNanos, this.clock.nanoTime());
		CompositeLockListener listeners = this.listeners.isEmpty() ? null : hold.listeners();
		if (listeners != null) {
			deliver(() -> listeners.onRenewed(hold.request(), hold, lease, Duration.ofNanos(leftNanos)));
		}
	}

	void lost(Hold hold, LockLostException loss, List<Runnable> callbacks) {
		callbacks.forEach(this::callBack);
		CompositeLockListener listeners = hold.endForListeners();
		if (listeners != null) {
			lost(hold, loss, listeners);
		}
	}

	private void lost(Hold hold, LockLostException loss, CompositeLockListener listeners) {
		LockActivity.Lost lost = new LockActivity.Lost(hold.name(), hold.owner(), hold.fencingToken(),
				ActivityReport.threadName(hold.thread()), Instant.now(), loss.held(),
				String.valueOf(loss.getMessage()));
		while (!this.losses.offerFirst(lost)) {
			this.losses.pollLast();
		}
		if (hold.lease().isFirstToReportItsLoss()) {
			logger.warn(loss.getMessage() + "; fencing token " + loss.fencingToken());
		}
		if (!listeners.isEmpty()) {
			callBack(() -> listeners.onLost(hold.request(), hold, loss));
		}
	}

	/** Call a user back on a thread that may block. */
	void callBack(Runnable callback) {
		(callback instanceof QuickCallback ? this.deliveries : this.callbacks).execute(callback);
	}

	/** Run a task that does not block. It never waits for users' callbacks. */
	void deliver(Runnable delivery) {
		this.deliveries.execute(delivery);
	}

	private Duration since(long nanos) {
		return Duration.ofNanos(this.clock.nanoTime() - nanos);
	}

	@Override
	public void close() {
		this.deliveries.close();
		this.callbacks.close();
	}

	/**
	 * Remembers the slowest renewal of the present minute and of the one before.
	 * Thread-safe.
	 */
	private static final class SlowestRenewal {

		private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

		private final ReentrantLock mutex = new ReentrantLock();

		private long windowNanos;

		private @Nullable Renewal present;

		private @Nullable Renewal before;

		SlowestRenewal(long nowNanos) {
			this.windowNanos = nowNanos;
		}

		/**
		 * Note a renewal.
		 */
		void add(LockOwner attempt, long tookNanos, long nowNanos) {
			this.mutex.lock();
			try {
				moveTo(nowNanos);
				if (this.present == null || tookNanos > this.present.took().toNanos()) {
					this.present = new Renewal(attempt.lock(), Duration.ofNanos(tookNanos),
							Duration.ofMillis(attempt.leaseMillis()));
				}
			}
			finally {
				this.mutex.unlock();
			}
		}

		/**
		 * Return the slowest one.
		 */
		@Nullable Renewal get(long nowNanos) {
			this.mutex.lock();
			try {
				moveTo(nowNanos);
				boolean isBefore = this.present == null
						|| (this.before != null && this.before.took().compareTo(this.present.took()) > 0);
				return isBefore ? this.before : this.present;
			}
			finally {
				this.mutex.unlock();
			}
		}

		private void moveTo(long nowNanos) {
			long passed = (nowNanos - this.windowNanos) / WINDOW_NANOS;
			if (passed > 0) {
				this.before = (passed == 1) ? this.present : null;
				this.present = null;
				this.windowNanos += passed * WINDOW_NANOS;
			}
		}

	}

	/**
	 * A few daemon threads for tasks of one kind, which end when they are idle. Tasks
	 * wait while all of them are busy. Thread-safe.
	 */
	private static final class Callbacks implements Executor, AutoCloseable {

		private static final int THREADS = 4;

		private static final long IDLE_SECONDS = 5;

		private final ThreadPoolExecutor executor;

		Callbacks(String threadName) {
			this.executor = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
					new LinkedBlockingQueue<>(), new DaemonThreads(threadName));
			this.executor.allowCoreThreadTimeOut(true);
		}

		/**
		 * Run a task soon. What it throws is logged.
		 */
		@Override
		public void execute(Runnable callback) {
			this.executor.execute(() -> {
				try {
					callback.run();
				}
				catch (RuntimeException | Error ex) {
					logger.warn("A callback for a lost lock failed", ex);
				}
			});
		}

		/**
		 * Let idle threads end. Tasks that are handed in later still run.
		 */
		@Override
		public void close() {
			this.executor.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
		}

	}

}
