package io.github.lockboot.redis.connection;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.concurrent.StageFailure;

/**
 * Logs once that a server is unreachable, and once that it is back. Thread-safe.
 */
final class OutageLog {

	private static final Log logger = LogFactory.getLog(OutageLog.class);

	/** How long a server has to fail without an answer until that is logged. */
	static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final String users;

	/** By the address of the server; empty while all answer. */
	private final Map<String, Outage> outages = new ConcurrentHashMap<>();

	private volatile boolean closed;

	OutageLog(String users) {
		this.users = users;
	}

	/** Whether {@link #answered} has nothing to log. */
	boolean isEmpty() {
		return this.outages.isEmpty();
	}

	/** Notes a call that failed without an answer. */
	void failed(String server, Throwable failure) {
		Outage outage = outage(server);
		outage.failures.incrementAndGet();
		logIfLong(server, outage, " (last: " + StageFailure.cause(failure).getMessage() + ")");
	}

	/** Notes a lost connection, even if no call has failed. */
	void disconnected(String server) {
		outage(server);
	}

	/** Checks whether a server is still disconnected. */
	void check(String server) {
		Outage outage = this.outages.get(server);
		if (outage != null) {
			logIfLong(server, outage, "");
		}
	}

	/** Notes an answer of the server. */
	void answered(String server) {
		Outage outage = this.outages.remove(server);
		if (outage != null && outage.logged.get()) {
			logger.info(name(server) + " is back for the " + this.users + " after " + outage.millis() + " ms, in which "
					+ outage.calls() + " failed");
		}
	}

	/** Forgets servers that were replaced. */
	void keepOnly(Set<String> servers) {
		this.outages.keySet().removeIf((server) -> !servers.contains(server) && replaced(server));
	}

	private boolean replaced(String server) {
		Outage outage = this.outages.get(server);
		if (outage != null && outage.logged.get()) {
			logger.info(
					name(server) + " does not serve the " + this.users + " any more: another server replaced it after "
							+ outage.millis() + " ms, in which " + outage.calls() + " failed");
		}
		return true;
	}

	/** Stops logging. */
	void close() {
		this.closed = true;
	}

	private Outage outage(String server) {
		return Objects.requireNonNull(this.outages.computeIfAbsent(server, (name) -> new Outage()));
	}

	private void logIfLong(String server, Outage outage, String reason) {
		if (System.nanoTime() - outage.beganNanos >= PATIENCE_NANOS && !this.closed
				&& outage.logged.compareAndSet(false, true)) {
			logger.warn(name(server) + " has been unreachable for the " + this.users + " since " + outage.began + ", "
					+ outage.millis() + " ms: " + outage.calls() + " failed" + reason);
		}
	}

	private static String name(String server) {
		return "Redis (" + server + ")";
	}

	/** A period without an answer of a server. */
	private static final class Outage {

		private final long beganNanos = System.nanoTime();

		private final Instant began = Instant.now().truncatedTo(ChronoUnit.MILLIS);

		private final AtomicLong failures = new AtomicLong();

		private final AtomicBoolean logged = new AtomicBoolean();

		private long millis() {
			return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.beganNanos);
		}

		private String calls() {
			long count = this.failures.get();
			return (count == 1) ? "1 call" : count + " calls";
		}

	}

}
