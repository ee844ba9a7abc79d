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
 * Logs once that a server has become unreachable, and once that it is back. Thread-safe.
 */
final class OutageLog {

	private static final Log logger = LogFactory.getLog(OutageLog.class);

	/** How long a server has to fail, without an answer in between, until it is told. */
	static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final String users;

	/** By the address of the server; empty while all answer. */
	private final Map<String, Outage> outages = new ConcurrentHashMap<>();

	private volatile boolean closed;

	OutageLog(String users) {
		this.users = users;
	}

	/**
	 * Whether there is nobody of whom {@link #answered} has to tell.
	 */
	boolean isEmpty() {
		return this.outages.isEmpty();
	}

	/** A call has failed without an answer of the server. */
	void failed(String server, Throwable failure) {
		Outage outage = outage(server);
		outage.failures.incrementAndGet();
		tellIfLong(server, outage, " (last: " + StageFailure.cause(failure).getMessage() + ")");
	}

	/** The connection to the server is lost; a call need not have failed. */
	void disconnected(String server) {
		outage(server);
	}

	/** Looks whether a server that was disconnected is so still. */
	void look(String server) {
		Outage outage = this.outages.get(server);
		if (outage != null) {
			tellIfLong(server, outage, "");
		}
	}

	/** The server has answered. */
	void answered(String server) {
		Outage outage = this.outages.remove(server);
		if (outage != null && outage.told.get()) {
			logger.info(name(server) + " is back for the " + this.users + " after " + outage.millis() + " ms, in which "
					+ outage.calls() + " failed");
		}
	}

	/** Forgets servers that others have taken the place of. */
	void keepOnly(Set<String> servers) {
		this.outages.keySet().removeIf((server) -> !servers.contains(server) && replaced(server));
	}

	private boolean replaced(String server) {
		Outage outage = this.outages.get(server);
		if (outage != null && outage.told.get()) {
			logger
				.info(name(server) + " serves the " + this.users + " no more: another server has taken its place after "
						+ outage.millis() + " ms, in which " + outage.calls() + " failed");
		}
		return true;
	}

	/** Logs no more. */
	void close() {
		this.closed = true;
	}

	private Outage outage(String server) {
		return Objects.requireNonNull(this.outages.computeIfAbsent(server, (name) -> new Outage()));
	}

	private void tellIfLong(String server, Outage outage, String reason) {
		if (System.nanoTime() - outage.beganNanos >= PATIENCE_NANOS && !this.closed
				&& outage.told.compareAndSet(false, true)) {
			logger.warn(name(server) + " has been unreachable for the " + this.users + " since " + outage.began + ", "
					+ outage.millis() + " ms: " + outage.calls() + " failed" + reason);
		}
	}

	private static String name(String server) {
		return "Redis (" + server + ")";
	}

	/** A time in which a server has not answered. */
	private static final class Outage {

		private final long beganNanos = System.nanoTime();

		private final Instant began = Instant.now().truncatedTo(ChronoUnit.MILLIS);

		private final AtomicLong failures = new AtomicLong();

		private final AtomicBoolean told = new AtomicBoolean();

		private long millis() {
			return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.beganNanos);
		}

		private String calls() {
			long count = this.failures.get();
			return (count == 1) ? "1 call" : count + " calls";
		}

	}

}
