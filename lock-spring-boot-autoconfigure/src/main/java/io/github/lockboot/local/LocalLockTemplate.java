package io.github.lockboot.local;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockClock;
import io.github.lockboot.engine.store.SystemLockClock;

/**
 * Locks in the memory of this JVM: for tests, and for development on a single node.
 * Excludes nobody in another JVM. Thread-safe.
 *
 * @since 1.0.0
 */
public class LocalLockTemplate extends LockTemplate {

	private final LocalLocks locks;

	private final LockDefaults defaults;

	/**
	 * Create a template with locks of its own.
	 * @param defaults what is used where a request says nothing
	 * @param listeners who is told what happens to the locks, in order
	 */
	public LocalLockTemplate(LockDefaults defaults, List<LockListener> listeners) {
		this(new SystemLockClock(), defaults, listeners);
	}

	private LocalLockTemplate(LockClock clock, LockDefaults defaults, List<LockListener> listeners) {
		this(new LocalLocks(clock), clock, defaults, listeners);
	}

	private LocalLockTemplate(LocalLocks locks, LockClock clock, LockDefaults defaults, List<LockListener> listeners) {
		super(new LocalLockStore(locks), clock, defaults, listeners);
		this.locks = locks;
		this.defaults = defaults;
	}

	@Override
	protected LocalLockTemplate anotherInstance() {
		return new LocalLockTemplate(this.locks, new SystemLockClock(), this.defaults, List.of());
	}

}
