package io.github.lockboot.leader;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;

/**
 * Logs once for each outage of a store that no leader can be elected, for all elections
 * that share this. Thread-safe.
 */
@Internal
public final class ElectionOutage {

	private static final Log logger = LogFactory.getLog(LeaderElection.class);

	/** Failures with less time between them belong to one outage. */
	private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final AtomicLong failedNanos = new AtomicLong(System.nanoTime() - PAUSE_NANOS);

	void failed(String role, Throwable failure) {
		long now = System.nanoTime();
		if (now - this.failedNanos.getAndSet(now) >= PAUSE_NANOS) {
			logger.warn("This instance can't be elected as leader of role '" + role
					+ "', nor of another role, until the store of the locks works again, and keeps trying: "
					+ failure.getMessage());
		}
	}

}
