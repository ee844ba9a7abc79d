package io.github.lockboot.bridge.integration;

import java.time.Duration;
import java.util.concurrent.locks.Lock;

import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;

/**
 * A lock registry for Spring Integration: leader initiators, aggregators and
 * {@code executeLocked} use the locks of this library. The key of a lock is its name, so
 * {@code obtain("orders")} excludes a method that is annotated with the lock
 * {@code orders}.
 * <p>
 * The locks are those of {@link LockOperations#asLock(String)}: they belong to threads
 * and are re-entrant, and their leases are renewed in the background while they are held.
 * From Spring Integration 7 on, the locks are {@link DistributedLock}s. The registry is
 * thread-safe and has no state.
 *
 * @since 1.0.0
 */
public final class LockOperationsRegistry implements ExpirableLockRegistry<Lock>, RenewableLockRegistry<Lock> {

	/** Since Spring Integration 7. */
	private static final boolean DISTRIBUTED_LOCKS = ClassUtils.isPresent(
			"org.springframework.integration.support.locks.DistributedLock",
			LockOperationsRegistry.class.getClassLoader());

	private final LockOperations operations;

	/**
	 * Create a registry.
	 * @param operations the locks
	 */
	public LockOperationsRegistry(LockOperations operations) {
		this.operations = operations;
	}

	/**
	 * Return a lock.
	 * @param lockKey name of the lock, a {@link String}
	 * @return a view without state of its own
	 * @throws IllegalArgumentException if the key is not a {@link String}
	 */
	@Override
	public Lock obtain(Object lockKey) {
		String name = name(lockKey);
		return DISTRIBUTED_LOCKS ? new LeasedLock(this.operations, name) : this.operations.asLock(name);
	}

	/** Do nothing, because the registry keeps no locks. */
	@Override
	public void expireUnusedOlderThan(long age) {
	}

	/**
	 * Check that the current thread holds the lock. The lease is renewed in the
	 * background anyway.
	 * @param lockKey name of the lock
	 * @throws LockLostException if the lease was lost
	 * @throws IllegalStateException if the thread does not hold the lock
	 */
	@Override
	public void renewLock(Object lockKey) {
		this.operations.ensureHeld(name(lockKey));
	}

	/**
	 * Check that the current thread holds the lock. The lease is renewed in the
	 * background anyway, and keeps its length.
	 * @param lockKey name of the lock
	 * @param ttl not used
	 * @throws LockLostException if the lease was lost
	 * @throws IllegalStateException if the thread does not hold the lock
	 */
	@Override
	public void renewLock(Object lockKey, Duration ttl) {
		renewLock(lockKey);
	}

	/**
	 * Return the name of a lock. The text of an object of another type may differ between
	 * two JVMs.
	 */
	private static String name(Object lockKey) {
		Assert.isInstanceOf(String.class, lockKey, "The key of a lock must be its name, a String. ");
		return (String) lockKey;
	}

}
