package io.github.lockboot.concurrent;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.github.lockboot.Internal;

/**
 * A lock of this JVM for brief changes, as a monitor is, but for which a virtual thread
 * may wait without its carrier.
 */
@Internal
@SuppressWarnings("serial")
public final class Mutex extends ReentrantLock {

	/** Run a change that no other thread can overlap. */
	public void run(Runnable change) {
		lock();
		try {
			change.run();
		}
		finally {
			unlock();
		}
	}

	/** Return the result of a change that no other thread can overlap. */
	public <T> T get(Supplier<T> change) {
		lock();
		try {
			return change.get();
		}
		finally {
			unlock();
		}
	}

}
