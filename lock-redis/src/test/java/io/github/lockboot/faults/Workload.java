package io.github.lockboot.faults;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Consumer;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;

/**
 * Kinds of operations on locks. Common ones run more often.
 */
enum Workload {

	HANDLE(5, (operation) -> operation.acquire(operation.contended())),

	FAIR(1, (operation) -> operation.acquire(operation.contended().fair(true))),

	/** Waits for a very short time, so that it often fails. */
	SHORT_WAIT(1,
			(operation) -> operation
				.tryAcquire(operation.contended().waitTime(Duration.ofMillis(operation.oneOf(0, 5))))),

	/** Cancels the acquisition. */
	CANCELLED(1, (operation) -> {
		LockRequest request = operation.contended();
		CompletableFuture<LockHandle> future = operation.locks().acquireAsync(request).toCompletableFuture();
		try (LockHandle hold = future.get(5, TimeUnit.MILLISECONDS)) {
			operation.section().work(request, hold, 1, operation.requestedNanos());
		}
		catch (TimeoutException ex) {
			if (!future.cancel(true)) {
				future.thenAccept(LockHandle::close);
			}
		}
		catch (ExecutionException ex) {
			throw (RuntimeException) ex.getCause();
		}
		catch (InterruptedException ex) {
			throw new CompletionException(ex);
		}
	}),

	/** Acquires the lock twice. */
	REENTRANT(1, (operation) -> {
		LockRequest strict = operation.contended().onLost(OnLost.THROW);
		operation.locks().execute(strict, () -> {
			LockHandle hold = operation.holds().last();
			operation.section()
				.run(strict, hold, operation.requestedNanos(), () -> operation.locks()
					.execute(strict, () -> operation.section().work(strict, hold, 2, System.nanoTime())));
		});
	}),

	/** Uses the view as a lock of the JDK, and acquires it twice. */
	JDK_LOCK(1, (operation) -> {
		LockRequest request = operation.contended();
		Lock lock = operation.locks().asLock(request.name());
		lock.lock();
		try {
			LockHandle hold = operation.holds().last();
			operation.section()
				.run(request, hold, operation.requestedNanos(), () -> operation.locks()
					.execute(request, () -> operation.section().work(request, hold, 2, operation.requestedNanos())));
		}
		finally {
			lock.unlock();
		}
	}),

	/** Acquires one of many locks, which are rarely contended. */
	UNCONTENDED(4, (operation) -> {
		LockRequest request = operation.lock("free" + operation.random().nextInt(100));
		operation.acquire(request);
	}),

	/** Tries once to acquire a lock with little contention. */
	TRY_ONCE(2,
			(operation) -> operation
				.tryAcquire(operation.lock("free" + operation.random().nextInt(3)).waitTime(Duration.ZERO))),

	/** Uses different lease times, some without renewal. */
	LEASE_TIMES(2, (operation) -> {
		Duration lease = operation.oneOf(FaultRun.LEASE, FaultRun.LEASE.dividedBy(2), FaultRun.LEASE.dividedBy(4));
		LockRequest request = operation.lock("leases");
		// in ZooKeeper the lease is that of the session
		operation
			.acquire(operation.supported(request.leaseTime(lease).renew(operation.random().nextBoolean()), request));
	}),

	READER(2, (operation) -> operation.acquire(operation.lock("shared").shared())),

	WRITER(1, (operation) -> operation.acquire(operation.lock("shared"))),

	/** Writes, and then downgrades to a reader. */
	DOWNGRADE(1, (operation) -> {
		LockRequest request = operation.lock("shared");
		ReadWriteLock lock = operation.locks().asReadWriteLock(request.name());
		lock.writeLock().lock();
		try {
			operation.section().work(request, operation.holds().last(), 1, operation.requestedNanos());
			lock.readLock().lock();
		}
		finally {
			lock.writeLock().unlock();
		}
		try {
			operation.section().work(request.shared(), operation.holds().last(), 1, operation.requestedNanos());
		}
		finally {
			lock.readLock().unlock();
		}
	}),

	SEMAPHORE(2, (operation) -> {
		LockRequest request = operation.locks().semaphore(operation.lock("seats").name(), 2).request();
		// Redlock and ZooKeeper have no semaphores
		operation.acquire(operation.supported(request, request.shared()));
	}),

	/** Acquires two locks at once, or one of these. */
	MULTI_LOCK(2, (operation) -> {
		String left = operation.lock("left").name();
		String right = LockRequest.of(LockNames.of(operation.oneOf("orders", "stock"), "right")).name();
		operation.acquire(operation.oneOf(LockRequest.allOf(right, left), LockRequest.of(left), LockRequest.of(right)));
	}),

	MIN_HOLD_TIME(1,
			(operation) -> operation
				.acquire(operation.lock("hold").minHoldTime(Duration.ofMillis(operation.oneOf(5, 40))))),

	MAX_HOLD_TIME(1, (operation) -> operation.acquire(operation.lock("hold").maxHoldTime(Duration.ofMillis(60)))),

	/** Sometimes releases the lock by force first. */
	FORCE_RELEASE(1, (operation) -> {
		LockRequest request = operation.lock("forced");
		if (operation.random().nextInt(20) == 0) {
			operation.section().forceRelease(request, () -> operation.locks().forceRelease(request.name()));
		}
		operation.acquire(request);
	}),

	FAIR_ONLY(2, (operation) -> operation.acquire(operation.lock(LockNames.FAIR).fair(true)));

	private final int weight;

	private final Consumer<Operation> work;

	Workload(int weight, Consumer<Operation> work) {
		this.weight = weight;
		this.work = work;
	}

	/** Return how often this workload runs. */
	int weight() {
		return this.weight;
	}

	/** Acquire a lock, work and release it. */
	void run(Operation operation) {
		this.work.accept(operation);
	}

}
