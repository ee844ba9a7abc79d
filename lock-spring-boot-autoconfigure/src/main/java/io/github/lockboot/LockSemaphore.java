package io.github.lockboot;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Lets a number of callers in at the same time, over all instances of an application. A
 * permit is leased and renewed as a lock is: it comes back when its holder dies. Those
 * who wait are let in first come, first served. Thread-safe.
 * <p>
 * The number of permits is what each caller says: it is let in while fewer than that are
 * out. So a new number holds from the next caller on; permits that are out stay out, and
 * whoever waits keeps the number with which it came.
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
	 * Return what this semaphore asks for: to be changed in its times, and handed to
	 * {@link LockOperations}.
	 * @return the request
	 */
	public LockRequest request() {
		return this.request;
	}

	/**
	 * The same semaphore with another wait time.
	 * @param waitTime how long to wait for a permit; zero tries once
	 * @return a new view
	 */
	public LockSemaphore waitTime(Duration waitTime) {
		return new LockSemaphore(this.locks, this.request.waitTime(waitTime));
	}

	/**
	 * Take a permit or throw.
	 * @return the permit, to be closed by the caller
	 * @throws LockNotAcquiredException if none was free within the wait time
	 */
	public LockHandle acquire() {
		return this.locks.acquire(this.request);
	}

	/**
	 * Take a permit or return {@code null}.
	 * @return the permit, to be closed by the caller, or {@code null} if none was free
	 * within the wait time
	 */
	public @Nullable LockHandle tryAcquire() {
		return this.locks.tryAcquire(this.request);
	}

	/**
	 * Take a permit without blocking a thread.
	 * @return completed with the permit, or exceptionally as {@link #acquire} throws
	 * @see LockOperations#acquireAsync
	 */
	public CompletionStage<LockHandle> acquireAsync() {
		return this.locks.acquireAsync(this.request);
	}

	/**
	 * Run a section with a permit and return its value. A thread that asks again in the
	 * section has the same permit.
	 * @param section what to run
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
	 * @param section what to run
	 * @param <X> what the section may throw
	 * @throws X what the section throws
	 * @throws LockNotAcquiredException if no permit was free within the wait time
	 */
	public <X extends Throwable> void execute(LockAction<X> section) throws X {
		this.locks.execute(this.request, section);
	}

}
