package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.LockException;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.WarningLog;
import io.github.lockboot.engine.LockMachine.Command;

/**
 * Notifies users of the events of their locks through listeners, callbacks and the log.
 * Listeners are notified of the end of a hold once, and after its beginning. An exception
 * of a listener is logged once for each class of listeners, and affects nothing else.
 * Thread-safe.
 */
final class LockNotifier implements AutoCloseable {

	private static final int THREADS = 4;

	/**
	 * How long renewals are gathered of which listeners are notified: to wake a thread
	 * for each costs as much as a renewal.
	 */
	private static final Duration GATHERING = Duration.ofMillis(5);

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

	/** The renewals of which the listeners are to be notified. */
	private final Queue<Command.Renewed> renewals = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean delivering = new AtomicBoolean();

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

	/**
	 * Return the listeners of a call that begins, in most cases the same list for all.
	 */
	List<LockListener> requested(LockRequest request) {
		List<LockListener> called = this.listeners;
		for (int i = 0; i < this.listeners.size(); i++) {
			LockListener listener = requested(this.listeners.get(i), request);
			if (listener != this.listeners.get(i)) {
				called = (called != this.listeners) ? called : new ArrayList<>(this.listeners);
				called.set(i, listener);
			}
		}
		return called;
	}

	private LockListener requested(LockListener listener, LockRequest request) {
		try {
			return Objects.requireNonNull(listener.onRequested(request), "onRequested returned null");
		}
		catch (Throwable ex) { // of Kotlin, also a checked one
			failed(listener, ex);
			return listener;
		}
	}

	void acquired(Holder holder, Waiter.Call call) {
		List<LockListener> listeners = call.listeners();
		notify(listeners,
				(listener) -> listener.onAcquired(holder.request(), holder.handle(), since(call.startNanos())));
		if (holder.handOut()) { // the hold has ended meanwhile
			LockLostException loss = holder.loss();
			if (loss != null) {
				reportLoss(holder, loss, listeners);
			}
			else {
				released(holder, listeners);
			}
		}
	}

	void notAcquired(Waiter.Call call, LockException reason) {
		notify(call.listeners(),
				(listener) -> listener.onNotAcquired(call.request(), reason, since(call.startNanos())));
	}

	/** Notify users of what a lock has decided. */
	void carryOut(Command command) {
		if (command instanceof Command.Lost lost) {
			lost(lost.holder(), lost.loss(), lost.callbacks());
		}
		else if (command instanceof Command.Renewed renewed) {
			renewed(renewed);
		}
		else if (command instanceof Command.AtRisk risk) {
			atRisk(risk);
		}
		else if (command instanceof Command.ReleaseUnreachable unreachable) {
			releaseUnreachable(unreachable.holder());
		}
	}

	/** Many leases are renewed at the same time: one delivery notifies of all of them. */
	private void renewed(Command.Renewed renewed) {
		this.activity.renewed(renewed.renewal(), renewed.tookNanos());
		if (!this.listeners.isEmpty() && renewed.holder() != null) {
			this.renewals.add(renewed);
			if (this.delivering.compareAndSet(false, true)) {
				this.clock.schedule(GATHERING, () -> deliver(this::deliverRenewals));
			}
		}
	}

	private void deliverRenewals() {
		this.delivering.set(false);
		for (Command.Renewed next = this.renewals.poll(); next != null; next = this.renewals.poll()) {
			Command.Renewed renewed = next;
			Holder holder = Objects.requireNonNull(renewed.holder());
			List<LockListener> listeners = holder.listeners();
			if (listeners != null) {
				Duration left = Duration.ofNanos(renewed.leftNanos());
				notify(listeners,
						(listener) -> listener.onRenewed(holder.request(), holder.handle(), renewed.lease(), left));
			}
		}
	}

	private void atRisk(Command.AtRisk risk) {
		for (Holder holder : risk.holders()) {
			List<LockListener> listeners = holder.listeners();
			if (listeners != null && !listeners.isEmpty()) {
				callBack(() -> notify(listeners, (listener) -> listener.onAtRisk(holder.request(), holder.handle(),
						risk.reason(), risk.left())));
			}
		}
		if (risk.first()) {
			String name = risk.holders().get(0).name();
			this.risks.warn(name, "Lock '" + name + "' is at risk: " + risk.reason());
		}
	}

	void released(Holder holder) {
		List<LockListener> listeners = this.listeners.isEmpty() ? null : holder.endForListeners();
		if (listeners != null) {
			released(holder, listeners);
		}
	}

	private void released(Holder holder, List<LockListener> listeners) {
		notify(listeners,
				(listener) -> listener.onReleased(holder.request(), holder.handle(), since(holder.sinceNanos())));
	}

	private void releaseUnreachable(Holder holder) {
		this.leaks.warn(holder.name(),
				"Lock '" + holder.name() + "' is released because nobody refers to its handle any more."
						+ " Close each handle of acquireAsync and of a reactive acquire, or use execute");
		holder.handle().closeAsync();
	}

	private void lost(Holder holder, LockLostException loss, List<Runnable> callbacks) {
		callbacks.forEach(this::callBack);
		List<LockListener> listeners = holder.loseForListeners();
		if (listeners != null) {
			reportLoss(holder, loss, listeners);
		}
	}

	private void reportLoss(Holder holder, LockLostException loss, List<LockListener> listeners) {
		this.activity.lost(holder, loss);
		if (holder.isFirstToReportItsLoss()) {
			WarningLog log = this.stopping ? this.lossesAtTheEnd : this.losses;
			log.warn(holder.name(), loss.getMessage() + "; fencing token " + loss.fencingToken());
		}
		if (!listeners.isEmpty()) {
			callBack(() -> notify(listeners, (listener) -> listener.onLost(holder.request(), holder.handle(), loss)));
		}
	}

	private void notify(List<LockListener> listeners, Consumer<LockListener> event) {
		for (LockListener listener : listeners) {
			try {
				event.accept(listener);
			}
			catch (Throwable ex) { // of Kotlin, also a checked one
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
			catch (Throwable ex) { // of Kotlin, also a checked one
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
