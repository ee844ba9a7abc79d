package io.github.lockboot.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.concurrent.DaemonThreads;

/**
 * The candidacy of this instance, from a start of its election to the stop. A thread of
 * its own waits for the lock, leads while the lock is held, and calls the listeners.
 */
final class Campaign implements Runnable {

	private static final Log logger = LogFactory.getLog(LeaderElection.class);

	/** Between a failure of the store and the next attempt. */
	private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long DOUBT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final LockOperations locks;

	private final String role;

	private final LockRequest request;

	private final Consumer<Object> events;

	private final Duration stopTimeout;

	private final ElectionOutage outage;

	/**
	 * The thread of the former campaign, which may still call a listener: events of a
	 * role have an order.
	 */
	private final @Nullable Thread former;

	private final Thread thread;

	/** The calls that only the leader makes, each with where it runs. */
	private final ConcurrentMap<Object, Object> calls = new ConcurrentHashMap<>();

	private volatile boolean ended;

	private volatile @Nullable Term term;

	Campaign(LockOperations locks, String role, LockRequest request, Consumer<Object> events, Duration stopTimeout,
			ElectionOutage outage, @Nullable Thread former) {
		this.locks = locks;
		this.role = role;
		this.request = request;
		this.events = events;
		this.stopTimeout = stopTimeout;
		this.outage = outage;
		this.former = former;
		this.thread = new DaemonThreads("leader-" + role).newThread(this);
	}

	Thread thread() {
		return this.thread;
	}

	void start() {
		this.thread.start();
	}

	/** Return the present leadership, by the clock of this JVM. */
	@Nullable Leadership leadership() {
		Term present = this.term;
		return (present != null && !this.ended && present.hold.isHeld()) ? present.leadership : null;
	}

	/**
	 * Begin a call, and return its end; {@code null} if this instance does not lead.
	 * @param onThread whether the call ends on this thread, before it does anything else
	 */
	@Nullable Runnable begin(boolean onThread) {
		Object call = new Object();
		Runnable end = () -> {
			this.calls.remove(call);
			LockSupport.unpark(this.thread);
		};
		// before the look, for end()
		this.calls.put(call, onThread ? Thread.currentThread() : "other threads");
		if (leadership() == null) {
			end.run();
			return null;
		}
		return end;
	}

	/**
	 * End the candidacy, and wait until the lock is released. Neither a call of the
	 * leader nor a listener that does not return may keep the lock. A call on the thread
	 * that ends the candidacy is not waited for.
	 */
	void end() {
		this.calls.values().removeIf((where) -> where == Thread.currentThread());
		this.ended = true;
		this.thread.interrupt();
		if (Thread.currentThread() == this.thread) { // a listener
			return;
		}
		String resigns = "' resigns after " + this.stopTimeout.toMillis() + " ms, although ";
		try {
			this.thread.join(Math.max(1, this.stopTimeout.toMillis()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			resigns = "' resigns at once, because the thread that stops it was interrupted, although ";
		}
		Term present = this.term;
		if (present != null) {
			logger.warn("Leader of role '" + this.role + resigns
					+ (this.calls.isEmpty() ? "a listener of its events has not returned"
							: "calls of @LeaderOnly methods are still running on " + this.calls.values())
					+ ": another instance may lead meanwhile");
			present.hold.close();
		}
	}

	@Override
	public void run() {
		awaitFormer();
		while (isGoingOn()) {
			LockHandle hold = acquire();
			if (hold != null && this.ended) {
				hold.close();
			}
			else if (hold != null) {
				lead(hold);
			}
		}
	}

	private void awaitFormer() {
		while (this.former != null && this.former.isAlive() && isGoingOn()) {
			try {
				this.former.join();
			}
			catch (InterruptedException ex) {
				// this campaign has ended, or the interrupt is somebody else's
			}
		}
	}

	/**
	 * Return whether the campaign has not ended. The interrupt of the end comes after the
	 * end; any other interrupt is ignored.
	 */
	private boolean isGoingOn() {
		Thread.interrupted();
		return !this.ended;
	}

	private @Nullable LockHandle acquire() {
		try {
			return this.locks.acquire(this.request);
		}
		catch (LockInterruptedException ex) {
			return null;
		}
		catch (RuntimeException | Error ex) {
			this.outage.failed(this.role, ex);
			LockSupport.parkNanos(this, PAUSE_NANOS);
			return null;
		}
	}

	private void lead(LockHandle hold) {
		Leadership leadership = new Leadership(this.role, hold.fencingToken(), Instant.now());
		this.term = new Term(leadership, hold);
		hold.onLost((QuickCallback) () -> LockSupport.unpark(this.thread));
		logger.info("Elected as leader of role '" + this.role + "'; fencing token " + leadership.fencingToken());
		publish(new LeaderElected(leadership));
		while (isGoingOn() && hold.loss() == null) {
			park(hold);
		}
		while (this.ended && !this.calls.isEmpty() && hold.loss() == null) {
			park(hold);
			Thread.interrupted();
		}
		if (this.ended) {
			logger.info("Resigned as leader of role '" + this.role + "'");
		}
		publish(new LeaderRevoked(leadership));
		// the end of the campaign interrupts, and a release would not wait for its reply
		Thread.interrupted();
		hold.close();
		this.term = null;
	}

	/** Wait for the end of the lease, which may be in doubt for a moment. */
	private void park(LockHandle hold) {
		LockSupport.parkNanos(this, Math.max(DOUBT_NANOS, hold.remainingLease().toNanos()));
	}

	private void publish(Object event) {
		try {
			this.events.accept(event);
		}
		catch (Throwable ex) { // of Kotlin, also a checked one
			logger.warn("A listener of " + event + " failed. The election is not affected", ex);
		}
	}

	/** A leadership and its hold of the lock. */
	private record Term(Leadership leadership, LockHandle hold) {

	}

}
