package io.github.lockboot;

import org.jspecify.annotations.Nullable;

/**
 * A section that runs while a lock is held and returns a value.
 *
 * @param <T> type of the value
 * @param <X> what the section may throw; inferred as {@link RuntimeException} where it
 * throws nothing checked
 * @since 1.0.0
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object, X extends Throwable> {

	/**
	 * Run the section.
	 * @return its value
	 * @throws X what the section throws; callers get it unchanged
	 */
	T call() throws X;

}
