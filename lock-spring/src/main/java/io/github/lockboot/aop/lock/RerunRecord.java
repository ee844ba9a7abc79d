package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;

/**
 * What a store knows about the calls of a method that found one lock busy. Two locks that
 * outlive their holders keep it: the first is held while a run has to begin, and the
 * owner of the second, which is another one each time, stands for the last run that has
 * begun for such calls.
 *
 * @param name the method and its key
 */
record RerunRecord(LockOperations locks, String name) {

	private static final String WANTED = "rerun:";

	private static final String BEGUN = "begun:";

	private static final int MOST_KEYS = 1000;

	private static final Duration KEPT = Duration.ofDays(7);

	private static LockRequest request(String name) {
		return LockRequest.of(name)
			.group("rerun")
			.waitTime(Duration.ZERO)
			.leaseTime(KEPT)
			.renew(false)
			.minHoldTime(KEPT)
			.maxHoldTime(Duration.ZERO)
			.retainTime(Duration.ZERO)
			.onLost(OnLost.LOG)
			.release(LockRelease.CONFIRMED);
	}

	/** Return whether a store keeps a record when this instance ends. */
	static boolean isSupported(LockOperations locks) {
		try {
			locks.requireSupported(request(WANTED));
			return true;
		}
		catch (UnsupportedOperationException ex) {
			return false;
		}
	}

	/** Return an id of the record, {@code null} if no run has to begin. */
	@Nullable String wanted() {
		return this.locks.inspect(WANTED + this.name).owner();
	}

	/** Return an id of the last run that has begun for a record, if there is one. */
	@Nullable String begun() {
		return this.locks.inspect(BEGUN + this.name).owner();
	}

	/** Record that a run has to begin from now on. */
	void want() {
		keep(WANTED + this.name);
	}

	/**
	 * Take the record, because a run begins. The caller holds the lock of the method, and
	 * has to run the method unless this method throws an exception.
	 */
	void begin() {
		if (wanted() == null) {
			return;
		}
		this.locks.forceRelease(BEGUN + this.name);
		keep(BEGUN + this.name);
		try {
			this.locks.forceRelease(WANTED + this.name);
		}
		catch (LockException ex) {
			return; // the record may be gone, so that this run has to stand for it
		}
	}

	/**
	 * Return the keys of all records whose names begin with this name, if no other
	 * instance has looked for them during a period.
	 */
	List<String> keys(Duration period) {
		LockHandle turn = this.locks.tryAcquire(request("look:" + this.name).leaseTime(period).minHoldTime(period));
		if (turn == null) {
			return List.of();
		}
		turn.close();
		String prefix = WANTED + this.name;
		return this.locks.list(prefix + "*", null, MOST_KEYS)
			.stream()
			.map((record) -> record.name().substring(prefix.length()))
			.toList();
	}

	private void keep(String name) {
		LockHandle lock = this.locks.tryAcquire(request(name));
		if (lock != null) {
			lock.close(); // which keeps the lock for its minimum hold time
		}
	}

}
