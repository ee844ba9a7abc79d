package io.github.lockboot.jdbc;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.OutageLog;

/**
 * What all {@link LockWorkers} of a database find out about it: since when it does not
 * reply, and when one of its connections was cut. Thread-safe.
 */
final class DatabaseHealth {

	private final DatabaseCures cures;

	/** When a connection was last found to be cut, after which others may be cut, too. */
	private final AtomicLong lostNanos = new AtomicLong(System.nanoTime());

	/** Present while no reply arrives. */
	private final AtomicReference<@Nullable OutageLog> outage = new AtomicReference<>();

	DatabaseHealth(DatabaseCures cures) {
		this.cures = cures;
	}

	/** Return a failure whose message says what to change, if that is known. */
	Throwable explained(Throwable failure) {
		return this.cures.explained(failure);
	}

	/** Note that a connection was cut. */
	void lost() {
		this.lostNanos.set(System.nanoTime());
	}

	/** Return whether a connection was cut after another one was used. */
	boolean isLostSince(long usedNanos) {
		return usedNanos - this.lostNanos.get() <= 0;
	}

	/** Note that a task failed without a reply of the database. */
	void failed(Throwable failure) {
		outage().failed(failure);
	}

	/** Note that a connection could not be opened. */
	void disconnected(Exception failure) {
		OutageLog outage = outage();
		outage.connectionFailed(failure, this.cures.cure(failure));
		outage.check();
	}

	/** Count a failed call of a user. */
	void callFailed() {
		OutageLog present = this.outage.get();
		if (present != null) {
			present.callFailed();
		}
	}

	/** Note that the database has replied. */
	void answered() {
		OutageLog present = this.outage.get();
		if (present != null && this.outage.compareAndSet(present, null)) {
			present.ended();
		}
	}

	private OutageLog outage() {
		OutageLog present = this.outage.get();
		if (present != null) {
			return present;
		}
		OutageLog begun = new OutageLog("The database", "locks", System::nanoTime);
		present = this.outage.compareAndExchange(null, begun);
		return (present != null) ? present : begun;
	}

}
