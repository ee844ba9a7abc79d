package io.github.lockboot.engine;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockLostException;

/**
 * The locks lost last, for those who ask what has happened. Thread-safe.
 */
final class RecentLosses {

	private static final int CAPACITY = 100;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Deque<LockActivity.Lost> losses = new ArrayDeque<>();

	void add(Hold hold, LockLostException loss) {
		LockActivity.Lost lost = new LockActivity.Lost(hold.name(), hold.owner(), hold.fencingToken(),
				ThreadNames.of(hold.thread()), Instant.now(), loss.held(), String.valueOf(loss.getMessage()));
		this.mutex.lock();
		try {
			if (this.losses.size() == CAPACITY) {
				this.losses.removeLast();
			}
			this.losses.addFirst(lost);
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Return them.
	 * @return a copy, the latest loss first
	 */
	List<LockActivity.Lost> list() {
		this.mutex.lock();
		try {
			return List.copyOf(this.losses);
		}
		finally {
			this.mutex.unlock();
		}
	}

}
