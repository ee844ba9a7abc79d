package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.QuickCallback;

/**
 * What the lanes of all locks over one store share: the store, the clock, and the ways to
 * tell users. It lets callers and what the store pushes to the lanes.
 */
final class LockEngine implements LockPushes, AutoCloseable {

	private static final Log logger = LogFactory.getLog(LockEngine.class);

	private final LockStore store;

	private final LockClock clock;

	private final ListenerGuard listeners;

	private final AbandonedAttempts abandoned;

	private final Lanes lanes;

	private final QueuedAttempts queued = new QueuedAttempts(this);

	private final FencingTokens fencingTokens;

	private final RecentLosses losses = new RecentLosses();

	private final SlowestRenewal slowestRenewal;

	private final Gate gate = new Gate();

	private final Drain drain = new Drain();

	/**
	 * For answers to callers, and whatever else must not wait for code that may block.
	 */
	private final Callbacks deliveries = new Callbacks("lock-delivery");

	/** For users' code that may block. */
	private final Callbacks callbacks = new Callbacks("lock-callback");

	LockEngine(LockStore store, LockClock clock, List<LockListener> listeners) {
		this.store = store;
		this.clock = clock;
		this.listeners = new ListenerGuard(listeners);
		this.abandoned = new AbandonedAttempts(store, clock, this.drain::check);
		this.slowestRenewal = new SlowestRenewal(clock.nanoTime());
		this.lanes = new Lanes(this, store.instance());
		this.fencingTokens = new FencingTokens(store.instance());
		listen();
		clock.onStandstill(() -> this.lanes.withAttempts().forEach(Lane::revalidate));
	}

	private void listen() {
		try {
			this.store.listen(this);
		}
		catch (RuntimeException ex) {
			this.store.close();
			this.clock.close();
			throw ex;
		}
	}

	LockStore store() {
		return this.store;
	}

	LockClock clock() {
		return this.clock;
	}

	Lanes lanes() {
		return this.lanes;
	}

	QueuedAttempts queued() {
		return this.queued;
	}

	FencingTokens fencingTokens() {
		return this.fencingTokens;
	}

	ListenerGuard listeners() {
		return this.listeners;
	}

	/**
	 * Look at all lanes.
	 * @return what they are about
	 */
	LockActivity activity() {
		long now = this.clock.nanoTime();
		ActivityReport report = new ActivityReport(now);
		this.lanes.all().forEach((lane) -> lane.report(report));
		return report.complete(this.losses.list(), this.slowestRenewal.get(now));
	}

	/**
	 * Let a caller wait for its lock.
	 * @param waiter the caller
	 * @return the lane in which it waits
	 */
	Lane submit(Waiter waiter) {
		Outcome refusal = this.gate.refusal(waiter);
		if (refusal != null) {
			waiter.complete(refusal);
			return this.lanes.newLane(waiter);
		}
		Lane lane = this.lanes.admit(waiter);
		if (!this.gate.isOpen()) { // shut meanwhile, perhaps before the lane was seen
			lane.dismiss(this.gate);
		}
		return lane;
	}

	void forget(Attempt attempt) {
		this.lanes.forget(attempt);
		if (!this.gate.isOpen()) {
			this.drain.check();
		}
	}

	@Override
	public void granted(Grant grant) {
		Lane lane = this.lanes.find(grant.attempt().owner());
		if (lane != null) {
			lane.granted(grant);
		}
		else { // nobody waits for it any more
			this.abandoned.release(grant.attempt(), 0, true);
		}
	}

	@Override
	public void queuedBehind(String attempt) {
		Lane lane = this.lanes.find(attempt);
		if (lane != null) {
			lane.queuedBehind(attempt);
		}
	}

	@Override
	public void taken(String attempt) {
		Lane lane = this.lanes.find(attempt);
		if (lane != null) {
			lane.taken(attempt);
		}
	}

	/** In the order of their attempts: whoever asks first gets a lock that is free. */
	@Override
	public void missed() {
		this.lanes.withAttempts().forEach(Lane::resync);
	}

	/**
	 * Release an attempt that waits in the store, or of which it is not known whether it
	 * owns the lock.
	 * @param pursuit its course
	 */
	void abandon(Pursuit pursuit) {
		this.abandoned.release(pursuit.attempt(), 0, !pursuit.isUnknown());
		forget(pursuit.attempt());
	}

	/**
	 * Release an attempt that owned the lock and whose lease we do not trust any more.
	 * @param lease its lease
	 */
	void abandon(Lease lease) {
		this.abandoned.release(lease.attempt(), lease.lastToken(), !lease.isMaybeTakenLate());
		forget(lease.attempt());
	}

	void tellAcquired(Hold hold, Call call) {
		if (!call.listeners().isEmpty()) {
			call.listeners().onAcquired(hold.request(), hold, since(call.startNanos()));
		}
		if (hold.handOut(call.listeners())) { // it has ended meanwhile
			LockLostException loss = hold.loss();
			if (loss != null) {
				tellLost(hold, loss, call.listeners());
			}
			else {
				tellReleased(hold, call.listeners());
			}
		}
	}

	void tellReleased(Hold hold) {
		ListenerGuard told = this.listeners.isEmpty() ? null : hold.tellEnd();
		if (told != null) {
			tellReleased(hold, told);
		}
	}

	private void tellReleased(Hold hold, ListenerGuard told) {
		told.onReleased(hold.request(), hold, since(hold.sinceNanos()));
	}

	void tellRenewed(Hold hold, Attempt renewed, long tookNanos, Duration lease, long leftNanos) {
		this.slowestRenewal.add(renewed, tookNanos, this.clock.nanoTime());
		ListenerGuard told = this.listeners.isEmpty() ? null : hold.listeners();
		if (told != null) {
			deliver(() -> told.onRenewed(hold.request(), hold, lease, Duration.ofNanos(leftNanos)));
		}
	}

	void tellLost(Hold hold, LockLostException loss, List<Runnable> callbacks) {
		callbacks.forEach(this::callBack);
		ListenerGuard told = hold.tellEnd();
		if (told != null) {
			tellLost(hold, loss, told);
		}
	}

	private void tellLost(Hold hold, LockLostException loss, ListenerGuard told) {
		this.losses.add(hold, loss);
		if (hold.lease().isFirstToReportItsLoss()) {
			logger.warn(loss.getMessage() + "; fencing token " + loss.fencingToken());
		}
		if (!told.isEmpty()) {
			callBack(() -> told.onLost(hold.request(), hold, loss));
		}
	}

	/**
	 * Call a user back on a thread that may block.
	 * @param callback what to run
	 */
	void callBack(Runnable callback) {
		(callback instanceof QuickCallback ? this.deliveries : this.callbacks).execute(callback);
	}

	/**
	 * Run a task that does not block. It never waits for users' callbacks.
	 * @param delivery what to run
	 */
	void deliver(Runnable delivery) {
		this.deliveries.execute(delivery);
	}

	/**
	 * Wait for an answer of the store; it comes within the store's time limit. An
	 * interrupted thread does not wait.
	 * @param done completed with the answer
	 */
	void awaitAnswer(CompletableFuture<?> done) {
		try {
			done.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An answer is never completed exceptionally", ex);
		}
	}

	Duration since(long nanos) {
		return Duration.ofNanos(this.clock.nanoTime() - nanos);
	}

	/**
	 * Give a lease back to the store.
	 * @param attempt its attempt
	 * @param token highest token it gave out
	 * @param keptMillis how long the lock is to stay taken nevertheless
	 * @return the store's answer
	 */
	CompletionStage<ReleaseReply> giveBack(Attempt attempt, long token, long keptMillis) {
		if (keptMillis <= 0) {
			return this.store.release(attempt, token);
		}
		return this.store.releaseLater(attempt.withLeaseMillis(keptMillis), token);
	}

	/**
	 * Give no lock out any more, but to threads that run a section under another lock.
	 * Who waits is told at once.
	 */
	void stop() {
		this.gate.admitSectionsOnly();
		this.lanes.all().forEach((lane) -> lane.dismiss(this.gate));
	}

	/**
	 * Wait until nobody holds a lock, or asks for one.
	 * @param timeout how long to wait
	 * @return whether all that is left is to be confirmed by the store
	 */
	boolean awaitNoneHeld(Duration timeout) {
		return this.drain.await(this.lanes::hasNoAttempts, timeout);
	}

	/**
	 * Wait until all locks are given back, those that were abandoned too.
	 * @param timeout how long to wait
	 * @return whether nothing of this instance is left in the store
	 */
	boolean awaitEmpty(Duration timeout) {
		return this.drain.await(this::isEmpty, timeout);
	}

	/**
	 * Take all locks away from those who still hold them, and begin to give them back.
	 * @param reason why, the end of a sentence
	 */
	void takeAllAway(String reason) {
		this.gate.stop();
		this.lanes.all().forEach((lane) -> {
			lane.dismiss(this.gate);
			lane.takeAway(reason);
		});
	}

	/**
	 * Give out locks again after {@link #stop()}.
	 */
	void resume() {
		this.gate.open();
	}

	private boolean isEmpty() {
		return this.lanes.hasNoAttempts() && this.abandoned.isEmpty();
	}

	@Override
	public void close() {
		this.gate.close();
		this.lanes.all().forEach((lane) -> lane.dismiss(this.gate));
		this.clock.close();
		this.store.close();
		this.deliveries.close();
		this.callbacks.close();
	}

}
