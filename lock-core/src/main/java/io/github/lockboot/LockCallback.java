package io.github.lockboot;

import org.jspecify.annotations.Nullable;

/**
 * A section that runs while a lock is held and returns a value.
 *
 * @param <T> type of the value
 * @param <X> type of exception that the section may throw; inferred as
 * {@link RuntimeException} if the section throws no checked exception
 * @since 1.0.0
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object, X extends Throwable> {

	/**
	 * Run the section.
	 * @return the value of the section
	 * @throws X what the section throws; the caller receives the same exception
	 */
	T call() throws X;

}
