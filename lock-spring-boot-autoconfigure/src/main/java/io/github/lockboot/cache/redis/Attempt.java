package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheClock;

/**
 * One attempt to get the right to load an entry: on its way to Redis, then perhaps
 * waiting for the end of another's load. It is left once. Thread-safe.
 */
final class Attempt {

	private final ReentrantLock mutex = new ReentrantLock();

	private final String id;

	private boolean replied;

	private boolean left;

	private @Nullable Runnable next;

	private CacheClock.@Nullable Timer timer;

	Attempt(String id) {
		this.id = id;
	}

	String id() {
		return this.id;
	}

	/**
	 * Wait, now that Redis has replied that another loads.
	 * @param atMost how long
	 * @param atEnd what to do then
	 * @return what to do at once, since the attempt was woken before the reply came
	 */
	@Nullable Runnable await(CacheClock clock, Duration atMost, Runnable atEnd) {
		this.mutex.lock();
		try {
			this.replied = true;
			if (this.next == null && !this.left) {
				this.timer = clock.schedule(atMost, atEnd);
			}
			return this.next;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * What was waited for has come.
	 * @param next what to do about it
	 * @return whether to do it now; else it is kept until the reply comes
	 */
	boolean wake(Runnable next) {
		this.mutex.lock();
		try {
			if (!this.replied) {
				this.next = next;
			}
			return this.replied;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Whether Redis has replied that another loads, and the attempt waits for its end.
	 */
	boolean isWaiting() {
		this.mutex.lock();
		try {
			return this.replied && !this.left;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** No longer wait; true for one caller only. */
	boolean leave() {
		this.mutex.lock();
		try {
			boolean first = !this.left;
			this.left = true;
			if (this.timer != null) {
				this.timer.cancel();
			}
			return first;
		}
		finally {
			this.mutex.unlock();
		}
	}

}
