package io.github.lockboot.concurrent;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.github.lockboot.Internal;

/**
 * Logs a period in which a server does not answer: once that the server is unreachable,
 * and once that it is reachable again. Thread-safe.
 */
@Internal
public final class OutageLog {

	private static final Log logger = LogFactory.getLog(OutageLog.class);

	/** How long a server has to fail without an answer until the outage is logged. */
	public static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final String server;

	private final String users;

	private final LongSupplier nanoTime;

	private final long beganNanos;

	private final Instant began = Instant.now().truncatedTo(ChronoUnit.MILLIS);

	private final AtomicLong failures = new AtomicLong();

	private final AtomicBoolean logged = new AtomicBoolean();

	private volatile String connectionError = "";

	/**
	 * Begin an outage.
	 * @param users what uses the server, in plural
	 */
	public OutageLog(String server, String users, LongSupplier nanoTime) {
		this.server = server;
		this.users = users;
		this.nanoTime = nanoTime;
		this.beganNanos = nanoTime.getAsLong();
	}

	/** Return whether the server has failed for less than a time. */
	public boolean isShorterThan(long nanos) {
		return passedNanos() < nanos;
	}

	/** Note a command that failed without an answer. */
	public void failed(Throwable failure) {
		logIfLong(StageFailure.cause(failure).getMessage());
	}

	/** Check whether the outage is long, even if no command has failed. */
	public void check() {
		logIfLong(connectionError());
	}

	/** Count a call of a user that failed, after any number of commands. */
	public void callFailed() {
		this.failures.incrementAndGet();
	}

	/**
	 * Note why the server cannot be connected.
	 * @param cure what to change, as a sentence, or {@code null} if that is unknown
	 */
	public void connectionFailed(Throwable failure, @Nullable String cure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		connectionFailed(ClassUtils.getShortName(cause.getClass()) + ": " + cause.getMessage()
				+ ((cure != null) ? ". " + cure : ""));
	}

	/** Note why the server cannot be connected, in words. */
	public void connectionFailed(String error) {
		this.connectionError = error;
	}

	/** Return why the server could not be connected the last time, empty if unknown. */
	public String connectionError() {
		return this.connectionError;
	}

	/** End the outage, because the server has answered. */
	public void ended() {
		if (this.logged.get()) {
			logger.info(this.server + " is back for the " + this.users + " after " + millis() + " ms, in which "
					+ calls() + " failed");
		}
	}

	/** End the outage, because another server has replaced this server. */
	public void replaced() {
		if (this.logged.get()) {
			logger
				.info(this.server + " does not serve the " + this.users + " any more: another server replaced it after "
						+ millis() + " ms, in which " + calls() + " failed");
		}
	}

	private void logIfLong(@Nullable String reason) {
		if (passedNanos() >= PATIENCE_NANOS && this.logged.compareAndSet(false, true)) {
			logger.warn(this.server + " has been unreachable for the " + this.users + " since " + this.began + ", "
					+ millis() + " ms: " + calls() + " failed"
					+ (StringUtils.hasText(reason) ? " (last: " + reason + ")" : ""));
		}
	}

	private long millis() {
		return TimeUnit.NANOSECONDS.toMillis(passedNanos());
	}

	private long passedNanos() {
		return this.nanoTime.getAsLong() - this.beganNanos;
	}

	private String calls() {
		long count = this.failures.get();
		return (count == 1) ? "1 call" : count + " calls";
	}

}
