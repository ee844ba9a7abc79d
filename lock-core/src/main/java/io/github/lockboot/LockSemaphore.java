package io.github.lockboot;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Limits how many callers run at the same time, over all instances of an application. A
 * permit is leased and renewed like a lock: if its holder dies, the permit becomes free
 * again. Waiting callers get permits in the order of their arrival. Semaphores are
 * thread-safe.
 * <p>
 * Each caller states the number of permits, and is admitted while fewer permits than that
 * number are in use. A new number therefore applies from the next caller on: permits in
 * use stay in use, and a waiting caller keeps its number.
 *
 * @since 1.0.0
 * @see LockOperations#semaphore
 */
public final class LockSemaphore {

	private final LockOperations locks;

	private final LockRequest request;

	LockSemaphore(LockOperations locks, LockRequest request) {
		this.locks = locks;
		this.request = request;
	}

	/**
	 * Return the request of this semaphore, for use with {@link LockOperations}, for
	 * example with other times.
	 */
	public LockRequest request() {
		return this.request;
	}

	/**
	 * Return this semaphore with another wait time.
	 * @param waitTime how long to wait for a permit; zero for a single attempt
	 */
	public LockSemaphore waitTime(Duration waitTime) {
		return new LockSemaphore(this.locks, this.request.waitTime(waitTime));
	}

	/**
	 * Acquire a permit.
	 * @return the permit, which the caller must close
	 * @throws LockNotAcquiredException if no permit was free within the wait time
	 */
	public LockHandle acquire() {
		return this.locks.acquire(this.request);
	}

	/**
	 * Acquire a permit, if one is free within the wait time.
	 * @return the permit, which the caller must close, or {@code null}
	 */
	public @Nullable LockHandle tryAcquire() {
		return this.locks.tryAcquire(this.request);
	}

	/**
	 * Acquire a permit without blocking a thread.
	 * @return a stage that is completed with the permit, or exceptionally with what
	 * {@link #acquire} would throw
	 * @see LockOperations#acquireAsync
	 */
	public CompletionStage<LockHandle> acquireAsync() {
		return this.locks.acquireAsync(this.request);
	}

	/**
	 * Run a section with a permit and return its value. This method is re-entrant: a
	 * section that acquires a permit again uses the same permit.
	 * @param section the section to run
	 * @param <T> type of the value
	 * @param <X> what the section may throw
	 * @return the value of the section
	 * @throws X what the section throws
	 * @throws LockNotAcquiredException if no permit was free within the wait time
	 */
	public <T extends @Nullable Object, X extends Throwable> T execute(LockCallback<T, X> section) throws X {
		return this.locks.execute(this.request, section);
	}

	/**
	 * Run a section with a permit.
	 * @param section the section to run
	 * @param <X> what the section may throw
	 * @throws X what the section throws
	 * @see #execute(LockCallback)
	 */
	public <X extends Throwable> void execute(LockAction<X> section) throws X {
		this.locks.execute(this.request, section);
	}

}
