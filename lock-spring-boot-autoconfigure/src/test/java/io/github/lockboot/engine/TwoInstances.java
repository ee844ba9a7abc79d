package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore;

/**
 * Two instances of an application that share the locks of a store, and threads to call
 * them.
 */
abstract class TwoInstances {

	final ExecutorService threads = Executors.newCachedThreadPool();

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final List<RecordingStore> stores = new ArrayList<>();

	LockTemplate locks;

	LockTemplate otherLocks;

	/**
	 * Return a store for one instance of an application.
	 * @param clock the clock to use
	 * @return a store that shares its locks with the others of the same test
	 */
	protected abstract LockStore newStore(MonotonicClock clock);

	/** Return the listeners of both. */
	List<LockListener> listeners() {
		return List.of();
	}

	@BeforeEach
	void openTwoInstances() {
		this.locks = newLocks();
		this.otherLocks = newLocks();
	}

	@AfterEach
	void closeAll() {
		this.threads.shutdownNow();
		this.locks.close();
		this.otherLocks.close();
	}

	private LockTemplate newLocks() {
		RecordingStore store = new RecordingStore(newStore(this.clock));
		this.stores.add(store);
		return new LockTemplate(store, this.clock, LockDefaults.defaults(), listeners());
	}

	/** Release a lock without its holder. */
	void steal(String lock) {
		this.stores.forEach((store) -> store.steal(lock));
	}

}
