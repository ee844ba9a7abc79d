package io.github.lockboot.bridge.integration;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import org.springframework.integration.support.locks.DistributedLock;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * A lock whose lease may have its own length. The lease is still renewed while the lock
 * is held; if the JVM dies, the lease ends after that time.
 */
final class LeasedLock implements DistributedLock {

	private final LockOperations operations;

	private final LockRequest request;

	private final Lock lock;

	LeasedLock(LockOperations operations, String name) {
		this.operations = operations;
		this.request = LockRequest.of(name);
		this.lock = operations.asLock(this.request);
	}

	@Override
	public void lock() {
		this.lock.lock();
	}

	@Override
	public void lock(Duration ttl) {
		leased(ttl).lock();
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		this.lock.lockInterruptibly();
	}

	@Override
	public boolean tryLock() {
		return this.lock.tryLock();
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return this.lock.tryLock(time, unit);
	}

	@Override
	public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
		return leased(ttl).tryLock(waitTime.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void unlock() {
		this.lock.unlock();
	}

	@Override
	public Condition newCondition() {
		return this.lock.newCondition();
	}

	private Lock leased(Duration ttl) {
		return this.operations.asLock(this.request.leaseTime(ttl));
	}

	@Override
	public String toString() {
		return this.lock.toString();
	}

}
