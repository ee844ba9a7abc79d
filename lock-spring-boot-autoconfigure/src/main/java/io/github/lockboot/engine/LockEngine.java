package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
import io.github.lockboot.LockRequest;

/**
 * The lanes of all locks over one store, and what they share: the clock, the names of the
 * attempts, and the ways to tell users.
 */
final class LockEngine implements LockPushes, AutoCloseable {

	private static final Log logger = LogFactory.getLog(LockEngine.class);

	private static final Outcome CLOSED = new Outcome.Failed(new IllegalStateException("the locks are closed"));

	private final LockStore store;

	private final LockClock clock;

	private final ListenerGuard listeners;

	private final AbandonedAttempts abandoned;

	private final ConcurrentMap<String, Lane> lanes = new ConcurrentHashMap<>();

	/** The lanes of those who share a lock, in a lane of their own beside the others. */
	private final ConcurrentMap<String, Lane> sharedLanes = new ConcurrentHashMap<>();

	/** The lanes by the owner names of their attempts, for what the store pushes. */
	private final ConcurrentMap<String, Lane> attempts = new ConcurrentHashMap<>();

	private final String ownerPrefix;

	private final AtomicLong attemptNumbers = new AtomicLong();

	private final SeenTokens seenTokens = new SeenTokens();

	private volatile boolean closed;

	private final ThreadPoolExecutor callbacks = Callbacks.newExecutor();

	LockEngine(LockStore store, LockClock clock, List<LockListener> listeners) {
		this.store = store;
		this.clock = clock;
		this.listeners = new ListenerGuard(listeners);
		this.abandoned = new AbandonedAttempts(store, clock);
		this.ownerPrefix = store.instance() + ":";
		store.listen(this);
		clock.onStandstill(() -> this.attempts.values().forEach(Lane::revalidate));
	}

	LockStore store() {
		return this.store;
	}

	LockClock clock() {
		return this.clock;
	}

	/**
	 * Begin a call for a lock.
	 * @param request what is asked for
	 * @param waitNanos how long to wait for it
	 * @return the call, of which the listeners know
	 */
	Call call(LockRequest request, long waitNanos) {
		return new Call(request, this.clock.nanoTime(), waitNanos, this.listeners.onRequested(request));
	}

	/**
	 * Let a caller wait for its lock.
	 * @param waiter the caller
	 * @return the lane in which it waits
	 */
	Lane submit(Waiter waiter) {
		if (this.closed) {
			waiter.complete(CLOSED);
			return newLane(waiter);
		}
		Lane lane = admit(waiter);
		if (this.closed) { // meanwhile: close() has seen this waiter, or this does
			lane.shutDown(CLOSED);
		}
		return lane;
	}

	private Lane admit(Waiter waiter) {
		if (waiter.isAlone()) {
			Lane lane = newLane(waiter);
			lane.admit(waiter);
			return lane;
		}
		ConcurrentMap<String, Lane> lanes = waiter.request().isShared() ? this.sharedLanes : this.lanes;
		while (true) {
			Lane lane = lanes.computeIfAbsent(waiter.request().name(), (name) -> newLane(waiter));
			if (lane.admit(waiter)) {
				return lane;
			}
		}
	}

	private Lane newLane(Waiter first) {
		String lock = first.request().name();
		return new Lane(this, lock, first.request().permits(), first.isAlone(), this.seenTokens.get(lock));
	}

	/**
	 * Send nobody to a lane any more, but remember the highest token it has seen.
	 * @param lane the lane
	 * @param seenToken its token
	 */
	void retire(Lane lane, long seenToken) {
		this.seenTokens.put(lane.lock(), seenToken);
		this.lanes.remove(lane.lock(), lane);
		this.sharedLanes.remove(lane.lock(), lane);
	}

	Attempt newAttempt(Lane lane, long leaseMillis) {
		String owner = this.ownerPrefix + Long.toString(this.attemptNumbers.incrementAndGet(), 36);
		this.attempts.put(owner, lane);
		return new Attempt(lane.lock(), owner, leaseMillis, lane.permits());
	}

	void forget(Attempt attempt) {
		this.attempts.remove(attempt.owner());
	}

	@Override
	public void granted(Grant grant) {
		Lane lane = this.attempts.get(grant.attempt().owner());
		if (lane != null) {
			lane.granted(grant);
		}
		else { // nobody waits for it any more
			this.abandoned.release(grant.attempt(), 0, this.clock.nanoTime(), true);
		}
	}

	@Override
	public void queuedBehind(String attempt) {
		Lane lane = this.attempts.get(attempt);
		if (lane != null) {
			lane.queuedBehind(attempt);
		}
	}

	@Override
	public void taken(String attempt) {
		Lane lane = this.attempts.get(attempt);
		if (lane != null) {
			lane.taken(attempt);
		}
	}

	@Override
	public void missed() {
		this.attempts.values().forEach(Lane::resync);
	}

	/**
	 * Release an attempt that waits in the store, or of which it is not known whether it
	 * owns the lock.
	 * @param pursuit its course
	 */
	void abandon(Pursuit pursuit) {
		this.abandoned.release(pursuit.attempt(), 0, pursuit.sentNanos(), !pursuit.isUnknown());
	}

	/**
	 * Release an attempt that owned the lock and whose lease we do not trust any more.
	 * @param lease its lease
	 */
	void abandon(Lease lease) {
		this.abandoned.release(lease.attempt(), lease.lastToken(), this.clock.nanoTime(), true);
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
		ListenerGuard told = this.listeners.isEmpty() ? null : hold.end();
		if (told != null) {
			tellReleased(hold, told);
		}
	}

	private void tellReleased(Hold hold, ListenerGuard told) {
		told.onReleased(hold.request(), hold, since(hold.sinceNanos()));
	}

	void tellRenewed(Hold hold, long leftNanos) {
		ListenerGuard told = this.listeners.isEmpty() ? null : hold.listeners();
		if (told != null) {
			callBack(() -> told.onRenewed(hold.request(), hold, Duration.ofNanos(leftNanos)));
		}
	}

	void tellLost(Hold hold, LockLostException loss, List<Runnable> callbacks) {
		callbacks.forEach(this::callBack);
		ListenerGuard told = hold.end();
		if (told != null) {
			tellLost(hold, loss, told);
		}
	}

	private void tellLost(Hold hold, LockLostException loss, ListenerGuard told) {
		if (hold.lease().isFirstToReportItsLoss()) {
			logger.warn(loss.getMessage() + "; fencing token " + loss.fencingToken());
		}
		if (!told.isEmpty()) {
			callBack(() -> told.onLost(hold.request(), hold, loss));
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
		return this.store.renew(attempt.withLeaseMillis(keptMillis))
			.thenApply(
					(reply) -> (reply instanceof RenewReply.Renewed) ? ReleaseReply.RELEASED : ReleaseReply.NOT_OWNER);
	}

	@Override
	public void close() {
		this.closed = true;
		this.lanes.values().forEach((lane) -> lane.shutDown(CLOSED));
		this.sharedLanes.values().forEach((lane) -> lane.shutDown(CLOSED));
		this.attempts.values().forEach((lane) -> lane.shutDown(CLOSED));
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
