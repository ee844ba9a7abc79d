package io.github.lockboot;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Acquires and releases locks in reactive pipelines. Implementations are thread-safe; one
 * instance serves an application. This interface needs Reactor.
 * <p>
 * Nothing happens before a subscription, and each subscription acquires the lock
 * separately. The section is subscribed to once the lock is held. The lock is released
 * when the section completes, fails or is cancelled, and the result is passed on after
 * that. No thread is blocked. A subscriber that cancels while it waits leaves the queue.
 * <p>
 * Sections and annotated reactive methods are re-entrant along the Reactor context: a
 * pipeline inside a section acquires the lock of that section again at once and without a
 * call to the store. The lock is held until the last of these pipelines has ended. A
 * pipeline inside a section that shares the lock cannot acquire the lock exclusively, and
 * gets an {@link IllegalStateException}. A blocking call inside a section, such as
 * {@link LockOperations#execute(LockRequest, LockCallback)}, is not re-entrant and waits
 * like any other caller.
 * <p>
 * Sections run on {@link reactor.core.scheduler.Schedulers#parallel()} unless they choose
 * another scheduler, and must not block there.
 *
 * @since 1.0.0
 */
public interface ReactiveLockOperations {

	/**
	 * Run a section under a lock.
	 * @param request which lock to acquire, and how
	 * @param section the section to run
	 * @param <T> type of the section's value
	 * @return the section's value, or an error: {@link LockNotAcquiredException} if the
	 * lock stayed busy for the wait time, {@link LockUnavailableException},
	 * {@link LockLostException} depending on the request's {@link OnLost}, or the error
	 * of the section
	 */
	<T> Mono<T> execute(LockRequest request, Mono<T> section);

	/**
	 * Run a section under a lock with the default settings.
	 * @param name name of the lock
	 * @param section the section to run
	 * @param <T> type of the section's value
	 * @return the section's value, or an error
	 * @see #execute(LockRequest, Mono)
	 */
	default <T> Mono<T> execute(String name, Mono<T> section) {
		return execute(LockRequest.of(name), section);
	}

	/**
	 * Run a section with several values under a lock, which is held from before the first
	 * until after the last value. A slow subscriber therefore holds the lock for long.
	 * @param request which lock to acquire, and how
	 * @param section the section to run
	 * @param <T> type of the section's values
	 * @return the section's values, or an error as with
	 * {@link #execute(LockRequest, Mono)}
	 */
	<T> Flux<T> execute(LockRequest request, Flux<T> section);

	/**
	 * Run a section with several values under a lock with the default settings.
	 * @param name name of the lock
	 * @param section the section to run
	 * @param <T> type of the section's values
	 * @return the section's values, or an error
	 * @see #execute(LockRequest, Flux)
	 */
	default <T> Flux<T> execute(String name, Flux<T> section) {
		return execute(LockRequest.of(name), section);
	}

	/**
	 * Run a section under a lock, if the lock is acquired within the wait time. The
	 * section's values are dropped.
	 * @param request which lock to acquire, and how
	 * @param section the section to run
	 * @return whether the section ran, or an error
	 */
	Mono<Boolean> tryExecute(LockRequest request, Publisher<?> section);

	/**
	 * Acquire a lock. Use this method with {@link Mono#usingWhen} or
	 * {@link Flux#usingWhen}, which release the lock however the work ends. Other
	 * operators may drop the hold if the pipeline is cancelled at the same time: a hold
	 * that nobody refers to is released after a garbage collection. This method is not
	 * re-entrant.
	 * @param request which lock to acquire, and how
	 * @return the hold, which the subscriber must close with
	 * {@link LockHandle#closeAsync()}, or an error
	 */
	Mono<LockHandle> acquire(LockRequest request);

	/**
	 * Acquire a lock, or complete empty.
	 * @param request which lock to acquire, and how
	 * @return the hold, which the subscriber must close, or nothing if the lock stayed
	 * busy for the wait time
	 * @see #acquire(LockRequest)
	 */
	Mono<LockHandle> tryAcquire(LockRequest request);

	/**
	 * Return the hold of a lock that an {@code execute} around this pipeline, or an
	 * annotated method, has acquired: for its fencing token, or to check before a write
	 * that the lock is held. The section releases the lock, not the subscriber. This
	 * method sends no command to the store.
	 * @param name name of the lock
	 * @return the hold, or an {@link IllegalStateException} if the pipeline does not hold
	 * the lock in one of these ways
	 */
	Mono<LockHandle> held(String name);

	/**
	 * Return the reactive form of blocking operations. Both forms use the same locks.
	 * @param operations the blocking form
	 * @param onLost what happens to a section whose lease is lost, for requests that do
	 * not define it; {@link OnLost#INTERRUPT} cancels the section
	 * @return the reactive form
	 */
	static ReactiveLockOperations of(LockOperations operations, OnLost onLost) {
		return new ReactiveLocks(operations, onLost);
	}

	/**
	 * The end of a section whose work has not begun, such as that of a coroutine that was
	 * cancelled before. Its lock is released without the minimum hold time.
	 */
	@Internal
	@SuppressWarnings("serial")
	final class NotBegunException extends RuntimeException {

	}

}
