package io.github.lockboot;

/**
 * Shows what this instance of an application does with its locks. The templates of the
 * library are such monitors. Thread-safe.
 *
 * @since 1.0.0
 */
public interface LockMonitor {

	/**
	 * Look at the locks of this instance. Costs nothing while nobody looks, and no
	 * command to the store: what the store knows is told by
	 * {@link LockOperations#inspect}.
	 * @return what is held, waited for and was lost lately; locks that change meanwhile
	 * may be seen before or after their change
	 */
	LockActivity activity();

}
