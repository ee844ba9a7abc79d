package io.github.lockboot.engine;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.LockHandle;

/**
 * What only sections can do with a lock, for the simulation, which has no threads.
 */
@NullMarked
public final class SimulatedHolds {

	private SimulatedHolds() {
	}

	/** Share a lock from now on; blocks until the store has replied. */
	public static void downgrade(LockHandle handle) {
		((Hold) handle).downgrade();
	}

	/**
	 * Return until when a lock stays held even if its holder releases it before.
	 * @param handle of this lock, or of several
	 */
	public static long keptUntilNanos(LockHandle handle, String lock) {
		if (handle instanceof MultiLockHandle several) {
			return several.holds()
				.stream()
				.filter((hold) -> hold.name().equals(lock))
				.mapToLong(Hold::keptUntilNanos)
				.findFirst()
				.orElseThrow();
		}
		return ((Hold) handle).keptUntilNanos();
	}

}
