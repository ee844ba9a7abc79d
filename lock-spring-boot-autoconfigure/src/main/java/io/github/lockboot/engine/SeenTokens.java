package io.github.lockboot.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The highest fencing tokens that this JVM has seen, of the locks it used last. With them
 * tokens grow on even after a fail-over to a store that lost the last ones and whose
 * clock is behind.
 */
final class SeenTokens {

	private static final int LOCKS = 4096;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Map<String, Long> tokens = new LinkedHashMap<>(64, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > LOCKS;
		}

	};

	/**
	 * Return the highest token seen of a lock.
	 * @param lock name of the lock
	 * @return the token, or zero
	 */
	long get(String lock) {
		this.mutex.lock();
		try {
			return this.tokens.getOrDefault(lock, 0L);
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Remember a token.
	 * @param lock name of the lock
	 * @param token the token
	 */
	void put(String lock, long token) {
		this.mutex.lock();
		try {
			this.tokens.merge(lock, token, Math::max);
		}
		finally {
			this.mutex.unlock();
		}
	}

}
