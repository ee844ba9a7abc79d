package io.github.lockboot.local;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockTemplate;

/**
 * Locks in the memory of this JVM, for tests and for development on a single node. Other
 * JVMs are not excluded. Thread-safe.
 *
 * @since 1.0.0
 */
public class LocalLockTemplate extends LockTemplate {

	private final LocalLocks locks;

	private final LockDefaults defaults;

	/**
	 * Create a template with separate locks.
	 * @param defaults defaults for requests that do not set a value
	 * @param listeners listeners of the locks, in order
	 */
	public LocalLockTemplate(LockDefaults defaults, List<LockListener> listeners) {
		this(new SystemClock("lock-timer"), defaults, listeners);
	}

	private LocalLockTemplate(MonotonicClock clock, LockDefaults defaults, List<LockListener> listeners) {
		this(new LocalLocks(clock), clock, defaults, listeners);
	}

	private LocalLockTemplate(LocalLocks locks, MonotonicClock clock, LockDefaults defaults,
			List<LockListener> listeners) {
		super(new LocalLockStore(locks), clock, defaults, listeners);
		this.locks = locks;
		this.defaults = defaults;
	}

	@Override
	protected LocalLockTemplate anotherInstance() {
		return new LocalLockTemplate(this.locks, new SystemClock("lock-timer"), this.defaults, List.of());
	}

}
