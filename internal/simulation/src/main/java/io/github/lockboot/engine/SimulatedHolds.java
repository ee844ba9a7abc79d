package io.github.lockboot.engine;

import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockState;

/**
 * What only blocks a thread or is only known inside, for the simulation.
 */
@NullMarked
public final class SimulatedHolds {

	private SimulatedHolds() {
	}

	/** Share a lock from now on. */
	public static void downgrade(LockHandle handle) {
		((MultiLockHandle) handle).holds().forEach(Hold::downgradeAsync);
	}

	/** Let the garbage collector find that nobody refers to a handle any more. */
	@SuppressWarnings("NullAway") // as of a reference that is cleared
	public static void collect(LockHandle handle) {
		((MultiLockHandle) handle).holds().forEach((hold) -> hold.closedBy(null));
	}

	/** Return whether the store has to confirm that a lock is held. */
	public static boolean isInDoubt(LockHandle handle) {
		return ((MultiLockHandle) handle).holds().stream().anyMatch(Hold::isInDoubt);
	}

	/** Return the state of a lock, with its holders. */
	public static CompletionStage<LockState> inspect(LockTemplate locks, String lock) {
		return locks.acquirer().holders().inspect(lock);
	}

	/**
	 * Return when a lock was acquired.
	 * @param handle of this lock, or of several
	 */
	public static long sinceNanos(LockHandle handle, String lock) {
		return hold(handle, lock).holder().sinceNanos();
	}

	/** Return the id of a holder in the store. */
	public static String owner(LockHandle handle, String lock) {
		return hold(handle, lock).owner();
	}

	/** Return how much of the lease of a lock is left for its holder. */
	public static long remainingNanos(LockHandle handle, String lock) {
		return hold(handle, lock).remainingLease().toNanos();
	}

	private static Hold hold(LockHandle handle, String lock) {
		return ((MultiLockHandle) handle).holds()
			.stream()
			.filter((hold) -> hold.name().equals(lock))
			.findFirst()
			.orElseThrow();
	}

}
