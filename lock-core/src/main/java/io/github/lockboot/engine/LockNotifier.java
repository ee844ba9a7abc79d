package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.WarningLog;
import io.github.lockboot.engine.store.LockAttempt;

/**
 * Notifies users of the events of their locks through listeners, callbacks and the log.
 * Listeners are notified of the end of a hold once, and after its beginning. An exception
 * of a listener is logged once for each class of listeners, and affects nothing else.
 * Thread-safe.
 */
final class LockNotifier implements AutoCloseable {

	private static final int THREADS = 4;

	private static final Log logger = LogFactory.getLog(LockNotifier.class);

	private final MonotonicClock clock;

	private final List<LockListener> listeners;

	private final Set<Class<?>> failedListeners = ConcurrentHashMap.newKeySet();

	private final ActivityLog activity;

	private final WarningLog risks;

	private final WarningLog losses;

	/** For those of a shutdown, which may be all locks of this JVM. */
	private final WarningLog lossesAtTheEnd;

	private volatile boolean stopping;

	private final WarningLog leaks;

	/**
	 * For the results of callers, and for everything else that must not wait for code
	 * that may block.
	 */
	private final MonotonicClock.Workers deliveries;

	/** For users' code that may block. */
	private final MonotonicClock.Workers callbacks;

	LockNotifier(MonotonicClock clock, List<LockListener> listeners) {
		this.clock = clock;
		this.listeners = List.copyOf(listeners);
		this.activity = new ActivityLog(clock);
		this.risks = WarningLog.of(logger, clock, "locks are at risk");
		this.losses = WarningLog.of(logger, clock, "locks were lost");
		this.lossesAtTheEnd = WarningLog.inOneLine(logger, clock, "locks were lost");
		this.leaks = WarningLog.inOneLine(logger, clock, "locks are released because nobody refers to their handles");
		this.deliveries = clock.workers("lock-delivery", THREADS);
		this.callbacks = clock.workers("lock-callback", THREADS);
	}

	/** Note that locks are lost from now on because of a shutdown, or no longer. */
	void stopping(boolean stopping) {
		this.stopping = stopping;
	}

	ActivityLog activity() {
		return this.activity;
	}

	/** Return the listeners of a call that begins. */
	List<LockListener> requested(LockRequest request) {
		return this.listeners.isEmpty() ? this.listeners
				: this.listeners.stream().map((listener) -> requested(listener, request)).toList();
	}

	private LockListener requested(LockListener listener, LockRequest request) {
		try {
			return Objects.requireNonNull(listener.onRequested(request), "onRequested returned null");
		}
		catch (RuntimeException | Error ex) {
			failed(listener, ex);
			return listener;
		}
	}

	void acquired(Hold hold, Waiter.Call call) {
		List<LockListener> listeners = call.listeners();
		notify(listeners, (listener) -> listener.onAcquired(hold.request(), hold, since(call.startNanos())));
		if (hold.handOut(listeners)) { // the hold has ended meanwhile
			LockLostException loss = hold.loss();
			if (loss != null) {
				reportLoss(hold, loss, listeners);
			}
			else {
				released(hold, listeners);
			}
		}
	}

	void notAcquired(Waiter.Call call, LockException reason) {
		notify(call.listeners(),
				(listener) -> listener.onNotAcquired(call.request(), reason, since(call.startNanos())));
	}

	void renewed(@Nullable Hold hold, LockAttempt renewed, long tookNanos, Duration lease, long leftNanos) {
		this.activity.renewed(renewed, tookNanos);
		List<LockListener> listeners = (this.listeners.isEmpty() || hold == null) ? null : hold.listeners();
		if (hold != null && listeners != null) {
			deliver(() -> notify(listeners,
					(listener) -> listener.onRenewed(hold.request(), hold, lease, Duration.ofNanos(leftNanos))));
		}
	}

	/**
	 * Warn of a loss.
	 * @param first whether the lease was not at risk before, which is logged
	 */
	void atRisk(List<Hold> holds, String reason, Duration left, boolean first) {
		for (Hold hold : holds) {
			List<LockListener> listeners = hold.listeners();
			if (listeners != null && !listeners.isEmpty()) {
				callBack(() -> notify(listeners, (listener) -> listener.onAtRisk(hold.request(), hold, reason, left)));
			}
		}
		if (first) {
			this.risks.warn(holds.get(0).name(), "Lock '" + holds.get(0).name() + "' is at risk: " + reason);
		}
	}

	void released(Hold hold) {
		List<LockListener> listeners = this.listeners.isEmpty() ? null : hold.endForListeners();
		if (listeners != null) {
			released(hold, listeners);
		}
	}

	private void released(Hold hold, List<LockListener> listeners) {
		notify(listeners, (listener) -> listener.onReleased(hold.request(), hold, since(hold.sinceNanos())));
	}

	/** Release the holds that nobody else can release. */
	void releaseUnreachable(List<Hold> holders) {
		for (Hold hold : holders) {
			if (hold.isUnreachable()) {
				this.leaks.warn(hold.name(),
						"Lock '" + hold.name() + "' is released because nobody refers to its handle any more."
								+ " Close each handle of acquireAsync and of a reactive acquire, or use execute");
				hold.closeAsync();
			}
		}
	}

	void lost(Hold hold, LockLostException loss, List<Runnable> callbacks) {
		callbacks.forEach(this::callBack);
		List<LockListener> listeners = hold.loseForListeners();
		if (listeners != null) {
			reportLoss(hold, loss, listeners);
		}
	}

	private void reportLoss(Hold hold, LockLostException loss, List<LockListener> listeners) {
		this.activity.lost(hold, loss);
		if (hold.lease().isFirstToReportItsLoss()) {
			WarningLog log = this.stopping ? this.lossesAtTheEnd : this.losses;
			log.warn(hold.name(), loss.getMessage() + "; fencing token " + loss.fencingToken());
		}
		if (!listeners.isEmpty()) {
			callBack(() -> notify(listeners, (listener) -> listener.onLost(hold.request(), hold, loss)));
		}
	}

	private void notify(List<LockListener> listeners, Consumer<LockListener> event) {
		for (LockListener listener : listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				failed(listener, ex);
			}
		}
	}

	private void failed(LockListener listener, Throwable failure) {
		if (this.failedListeners.add(listener.getClass())) {
			logger.warn(
					"Lock listener " + listener.getClass().getName()
							+ " failed. The lock is not affected, and further failures of this listener are not logged",
					failure);
		}
	}

	/** Run a user's callback on a thread that may block. */
	void callBack(Runnable callback) {
		execute((callback instanceof QuickCallback) ? this.deliveries : this.callbacks, callback,
				"A callback for a lost lock failed");
	}

	/** Run a task that does not block. The task never waits for users' callbacks. */
	void deliver(Runnable delivery) {
		execute(this.deliveries, delivery, "The result of a lock or its release could not be delivered");
	}

	private static void execute(MonotonicClock.Workers threads, Runnable task, String failure) {
		threads.execute(() -> {
			try {
				task.run();
			}
			catch (RuntimeException | Error ex) {
				logger.warn(failure, ex);
			}
		});
	}

	private Duration since(long nanos) {
		return Duration.ofNanos(this.clock.nanoTime() - nanos);
	}

	/** Let idle threads end. Later tasks still run. */
	@Override
	public void close() {
		this.risks.summarize();
		this.losses.summarize();
		this.lossesAtTheEnd.summarize();
		this.leaks.summarize();
		this.deliveries.close();
		this.callbacks.close();
	}

}
