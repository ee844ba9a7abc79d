package io.github.lockboot;

/**
 * A section that runs while a lock is held and returns nothing.
 *
 * @param <X> what the section may throw; inferred as {@link RuntimeException} where it
 * throws nothing checked
 * @since 1.0.0
 */
@FunctionalInterface
public interface LockAction<X extends Throwable> {

	/**
	 * Run the section.
	 * @throws X what the section throws; callers get it unchanged
	 */
	void run() throws X;

}
