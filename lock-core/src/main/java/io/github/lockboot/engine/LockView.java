package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Predicate;

import io.github.lockboot.LockAction;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * A lock, or several at once, as {@link Lock}, held by threads.
 */
final class LockView implements LockOperations.LeasedLock {

	private static final Duration WITHOUT_END = Duration.ofNanos(Long.MAX_VALUE);

	private final ReentrantLocks locks;

	private final LockRequest request;

	private final Predicate<String> locked;

	LockView(ReentrantLocks locks, LockRequest request, Predicate<String> locked) {
		this.locks = locks;
		this.request = request;
		this.locked = locked;
	}

	/**
	 * Wait for the lock, and set the interrupt flag afterwards if the thread was
	 * interrupted.
	 */
	@Override
	public void lock() {
		this.locks.lock(this.request.waitTime(WITHOUT_END), false);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		lockInterruptibly(WITHOUT_END);
	}

	@Override
	public boolean tryLock() {
		return !this.locks.isUpgrade(this.request)
				&& isLocked(() -> this.locks.lock(this.request.waitTime(Duration.ZERO), false));
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		if (this.locks.isUpgrade(this.request) && !Thread.currentThread().isInterrupted()) {
			return false;
		}
		Duration waitTime = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
		return isLocked(() -> lockInterruptibly(waitTime));
	}

	private static <X extends Exception> boolean isLocked(LockAction<X> lock) throws X {
		try {
			lock.run();
			return true;
		}
		catch (LockNotAcquiredException ex) {
			return false;
		}
	}

	@Override
	public void lock(long holdTime, TimeUnit unit) {
		limited(holdTime, unit).lock();
	}

	@Override
	public boolean tryLock(long waitTime, long holdTime, TimeUnit unit) throws InterruptedException {
		return limited(holdTime, unit).tryLock(waitTime, unit);
	}

	private LockView limited(long holdTime, TimeUnit unit) {
		return (holdTime <= 0) ? this : new LockView(this.locks,
				this.request.maxHoldTime(Duration.ofNanos(unit.toNanos(holdTime))), this.locked);
	}

	@Override
	public boolean isHeldByCurrentThread() {
		return this.locks.isHeld(this.request);
	}

	@Override
	public boolean isLocked() {
		return this.request.names().stream().anyMatch(this.locked);
	}

	@Override
	public String name() {
		return this.request.name();
	}

	@Override
	public void unlock() {
		ReentrantLocks.ReentrantHold hold = this.locks.present(this.request);
		if (hold == null) {
			throw new IllegalMonitorStateException("Lock '" + this.request.name() + "' is not held by thread '"
					+ Thread.currentThread().getName() + "'");
		}
		boolean last = hold.release();
		LockLostException loss = hold.loss();
		if (last && loss != null) {
			throw loss;
		}
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock has no conditions");
	}

	private void lockInterruptibly(Duration waitTime) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		try {
			this.locks.lock(this.request.waitTime(waitTime), true);
		}
		catch (LockInterruptedException ex) {
			Thread.interrupted(); // the exception reports the loss
			throw new InterruptedException(ex.getMessage());
		}
	}

	@Override
	public String toString() {
		return "Lock '" + this.request.name() + "'";
	}

	/** A shared lock, and the same lock as an exclusive one. */
	record ReadWrite(Lock readLock, Lock writeLock) implements ReadWriteLock {

	}

}
