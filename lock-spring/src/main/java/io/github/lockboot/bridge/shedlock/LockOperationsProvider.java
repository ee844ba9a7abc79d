package io.github.lockboot.bridge.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;

/**
 * A lock provider for ShedLock: jobs with {@code @SchedulerLock} use the locks of this
 * library. The name of a job's lock is the name of the lock, so the job excludes a method
 * that is annotated with the lock of that name.
 * <p>
 * {@code lockAtMostFor} limits the hold as usual. The lease is renewed in the background
 * until then: if the JVM of a job dies, the lock is free after its lease, not only after
 * {@code lockAtMostFor}. {@code lockAtLeastFor} also applies if the JVM ends after the
 * job; a {@code lockAtLeastFor} that a job has extended ends with the JVM. The provider
 * is thread-safe.
 *
 * @since 1.0.0
 */
public final class LockOperationsProvider implements ExtensibleLockProvider {

	private final LockOperations operations;

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, (task) -> {
		Thread thread = new Thread(task, "lock-shedlock");
		thread.setDaemon(true);
		return thread;
	});

	/**
	 * Create a provider.
	 * @param operations the locks
	 */
	public LockOperationsProvider(LockOperations operations) {
		this.operations = operations;
		this.timer.setRemoveOnCancelPolicy(true);
		// without a job there is no thread, which would keep the class loader
		this.timer.setKeepAliveTime(1, TimeUnit.SECONDS);
		this.timer.allowCoreThreadTimeOut(true);
	}

	/**
	 * Acquire a lock if it is free.
	 * @param configuration name and times of the lock
	 * @return the lock, or empty if the lock is busy
	 * @throws LockUnavailableException if the store cannot be reached
	 */
	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		LockRequest request = LockRequest.of(configuration.getName()).waitTime(Duration.ZERO);
		Duration atLeast = configuration.getLockAtLeastFor();
		LockHandle handle = this.operations.tryAcquire(atLeast.isZero() ? request : request.minHoldTime(atLeast));
		return (handle != null) ? Optional.of(new HeldJobLock(configuration, handle, Duration.ZERO, this.timer))
				: Optional.empty();
	}

}
