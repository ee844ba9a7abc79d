package io.github.lockboot;

/**
 * A section that runs while a lock is held and returns nothing.
 *
 * @param <X> type of exception that the section may throw; inferred as
 * {@link RuntimeException} if the section throws no checked exception
 * @since 1.0.0
 */
@FunctionalInterface
public interface LockAction<X extends Throwable> {

	/**
	 * Run the section.
	 * @throws X what the section throws; the caller receives the same exception
	 */
	void run() throws X;

}
