package io.github.lockboot.leader;

import java.time.Instant;
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

	/** Failures with less time between them belong to one outage. */
	private static final long OUTAGE_NANOS = TimeUnit.MINUTES.toNanos(1);

	/** How long a stop waits for listeners. */
	private static final long LISTENERS_MILLIS = TimeUnit.SECONDS.toMillis(10);

	private final LockOperations locks;

	private final String role;

	private final LockRequest request;

	private final Consumer<Object> events;

	private final Thread thread;

	private volatile boolean ended;

	private volatile @Nullable Term term;

	/** When the store last failed; used by the thread only. */
	private long failedNanos = System.nanoTime() - OUTAGE_NANOS;

	Campaign(LockOperations locks, String role, LockRequest request, Consumer<Object> events) {
		this.locks = locks;
		this.role = role;
		this.request = request;
		this.events = events;
		this.thread = new DaemonThreads("leader-" + role).newThread(this);
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
	 * End the candidacy, and wait until the lock is released. A listener that does not
	 * return must not keep the lock.
	 */
	void end() {
		this.ended = true;
		this.thread.interrupt();
		if (Thread.currentThread() == this.thread) { // a listener
			return;
		}
		String resigns = "' resigns although a listener of its events has not returned";
		try {
			this.thread.join(LISTENERS_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			resigns = "' resigns at once, because the thread that stops it was interrupted";
		}
		Term present = this.term;
		if (present != null) {
			logger.warn("Leader of role '" + this.role + resigns
					+ ": another instance may lead while listeners are still working");
			present.hold.close();
		}
	}

	@Override
	public void run() {
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
			long now = System.nanoTime();
			if (now - this.failedNanos >= OUTAGE_NANOS) {
				logger.warn("This instance can't be elected as leader of role '" + this.role
						+ "' until the store of the locks works again, and keeps trying: " + ex.getMessage());
			}
			this.failedNanos = now;
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
		while (isGoingOn() && hold.isHeld()) {
			LockSupport.parkNanos(this, hold.remainingLease().toNanos());
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

	private void publish(Object event) {
		try {
			this.events.accept(event);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A listener of " + event + " failed; the election is not affected", ex);
		}
	}

	/** A leadership and its hold of the lock. */
	private record Term(Leadership leadership, LockHandle hold) {

	}

}
