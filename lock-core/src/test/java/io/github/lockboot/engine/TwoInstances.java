package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.StoreTraits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Two instances of an application that share the locks of a store, and threads to call
 * them.
 */
public abstract class TwoInstances {

	final ExecutorService threads = Executors.newCachedThreadPool();

	/** For how long the machine was suspended. */
	final AtomicLong asleepMillis = new AtomicLong();

	private final MonotonicClock clock = new SystemClock("lock-timer",
			() -> System.currentTimeMillis() + this.asleepMillis.get());

	private final List<RecordingStore> stores = new ArrayList<>();

	private final List<LockTemplate> opened = new ArrayList<>();

	protected LockTemplate locks;

	protected LockTemplate otherLocks;

	/**
	 * Return a store for one instance of an application.
	 * @return a store that shares its locks with the others of the same test
	 */
	protected abstract LockStore newStore(MonotonicClock clock);

	@BeforeEach
	void openTwoInstances() {
		this.locks = newLocks();
		this.otherLocks = newLocks();
	}

	@AfterEach
	void closeAll() {
		this.threads.shutdownNow();
		this.opened.forEach(LockTemplate::close);
	}

	private LockTemplate newLocks() {
		return newLocks(defaults());
	}

	private LockTemplate newLocks(LockDefaults defaults) {
		RecordingStore store = new RecordingStore(newStore(this.clock));
		this.stores.add(store);
		LockTemplate locks = new LockTemplate(store.recorded(), this.clock, defaults.withApplication("shop"),
				List.of());
		this.opened.add(locks);
		return locks;
	}

	/**
	 * Put an instance with short leases in place of the first one, unless the store has
	 * one lease for all locks.
	 */
	void shortenLeases() {
		if (isLeaseOfLock()) {
			this.locks = newLocks(defaults().withLeaseTime(Duration.ofSeconds(1)));
		}
	}

	/** Return the defaults of both. */
	protected LockDefaults defaults() {
		return LockDefaults.defaults();
	}

	/** Return a request with a lease time, unless the store has one for all locks. */
	LockRequest withLease(LockRequest request, Duration lease) {
		return isLeaseOfLock() ? request.leaseTime(lease) : request;
	}

	/** Return a request for a lock that is lost after a time. */
	LockRequest withFixedLease(LockRequest request, Duration lease) {
		return isLeaseOfLock() ? request.leaseTime(lease).renew(false) : request.maxHoldTime(lease);
	}

	/**
	 * Return whether each lock has a lease of its own, which ends if it is not renewed.
	 */
	protected boolean isLeaseOfLock() {
		return this.locks.store().traits().leases() == StoreTraits.Leases.LOCK;
	}

	/**
	 * Return whether tokens of sharers have to differ from those of exclusive holders.
	 */
	boolean isTimeAsToken() {
		return this.locks.store().traits().tokens() == StoreTraits.Tokens.TIMES;
	}

	/** Skip a test of semaphores if the store has none. */
	void assumePermits() {
		Assumptions.assumeTrue(this.locks.store().traits().kinds().contains(StoreTraits.Kind.PERMITS));
	}

	/** Check that too many callers wait. */
	static LockNotAcquiredException assertRefused(ThrowingCallable call) {
		LockNotAcquiredException refusal = catchThrowableOfType(LockNotAcquiredException.class, call);
		assertThat(refusal.reason()).isEqualTo(LockNotAcquiredException.Reason.TOO_MANY_WAITING);
		return refusal;
	}

	/** Set what the first instance does in place of its next call of a method. */
	void onNext(String method, UnaryOperator<Supplier<@Nullable Object>> action) {
		this.stores.get(0).next.put(method, action);
	}

	/** Release a lock without its holder. */
	void steal(String lock) {
		this.stores.forEach((store) -> store.steal(lock));
	}

}
