package io.github.lockboot.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.QuickCallback;

/**
 * Tells users what happens to their locks: listeners, callbacks and the log. A hold's end
 * is told once, and only after its beginning. Thread-safe.
 */
final class LockNotifier implements AutoCloseable {

	private static final int RECENT_LOSSES = 100;

	private static final Log logger = LogFactory.getLog(LockNotifier.class);

	private final LockClock clock;

	private final CompositeLockListener listeners;

	private final BlockingDeque<LockActivity.Lost> losses = new LinkedBlockingDeque<>(RECENT_LOSSES);

	private final SlowestRenewal slowestRenewal;

	/**
	 * For answers to callers, and whatever else must not wait for code that may block.
	 */
	private final Callbacks deliveries = new Callbacks("lock-delivery");

	/** For users' code that may block. */
	private final Callbacks callbacks = new Callbacks("lock-callback");

	LockNotifier(LockClock clock, List<LockListener> listeners) {
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

	void acquired(Hold hold, LockCall call) {
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
		CompositeLockListener told = this.listeners.isEmpty() ? null : hold.tellEnd();
		if (told != null) {
			released(hold, told);
		}
	}

	private void released(Hold hold, CompositeLockListener told) {
		told.onReleased(hold.request(), hold, since(hold.sinceNanos()));
	}

	void renewed(Hold hold, Attempt renewed, long tookNanos, Duration lease, long leftNanos) {
		this.slowestRenewal.add(renewed, tookNanos, this.clock.nanoTime());
		CompositeLockListener told = this.listeners.isEmpty() ? null : hold.listeners();
		if (told != null) {
			deliver(() -> told.onRenewed(hold.request(), hold, lease, Duration.ofNanos(leftNanos)));
		}
	}

	void lost(Hold hold, LockLostException loss, List<Runnable> callbacks) {
		callbacks.forEach(this::callBack);
		CompositeLockListener told = hold.tellEnd();
		if (told != null) {
			lost(hold, loss, told);
		}
	}

	private void lost(Hold hold, LockLostException loss, CompositeLockListener told) {
		LockActivity.Lost lost = new LockActivity.Lost(hold.name(), hold.owner(), hold.fencingToken(),
				ActivityReport.threadName(hold.thread()), Instant.now(), loss.held(),
				String.valueOf(loss.getMessage()));
		while (!this.losses.offerFirst(lost)) {
			this.losses.pollLast();
		}
		if (hold.lease().isFirstToReportItsLoss()) {
			logger.warn(loss.getMessage() + "; fencing token " + loss.fencingToken());
		}
		if (!told.isEmpty()) {
			callBack(() -> told.onLost(hold.request(), hold, loss));
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

}
