package io.github.lockboot;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Takes and gives back locks in reactive pipelines. Thread-safe; one instance serves an
 * application. Needs Reactor.
 * <p>
 * Nothing happens before a subscription, and each subscription takes the lock for itself.
 * A section is subscribed to once the lock is held; the lock is given back when the
 * section completes, fails or is cancelled, and what it ends with is passed on after
 * that. No thread is blocked, neither while a lock is waited for nor while it is given
 * back. A subscriber that cancels while it waits leaves neither a hold nor a place in the
 * queue behind.
 * <p>
 * Sections and annotated reactive methods are re-entrant along the Reactor context: a
 * pipeline inside of a section, which takes the lock of that section again, has it at
 * once and without a call to the store. The lock is held until the last of them has
 * ended. A blocking call inside of a section, such as
 * {@link LockOperations#execute(LockRequest, LockCallback)}, does not see the context and
 * waits like a stranger.
 * <p>
 * Sections run on {@link reactor.core.scheduler.Schedulers#parallel()} unless they say
 * otherwise, so that they must not block.
 *
 * @since 1.0.0
 */
public interface ReactiveLockOperations {

	/**
	 * Run a section under a lock.
	 * @param request which lock, and how
	 * @param section what to run
	 * @param <T> type of its value
	 * @return the section's value, or an error: {@link LockNotAcquiredException} if the
	 * lock stayed busy for the wait time, {@link LockUnavailableException},
	 * {@link LockLostException} as the request says, or the section's own
	 */
	<T> Mono<T> execute(LockRequest request, Mono<T> section);

	/**
	 * Run a section under a lock with the default times.
	 * @param name name of the lock
	 * @param section what to run
	 * @param <T> type of its value
	 * @return the section's value, or an error
	 * @see #execute(LockRequest, Mono)
	 */
	default <T> Mono<T> execute(String name, Mono<T> section) {
		return execute(LockRequest.of(name), section);
	}

	/**
	 * Run a section with several values under a lock, which is held from before the first
	 * until after the last. A slow subscriber therefore keeps the lock for long.
	 * @param request which lock, and how
	 * @param section what to run
	 * @param <T> type of its values
	 * @return the section's values, or an error as with
	 * {@link #execute(LockRequest, Mono)}
	 */
	<T> Flux<T> execute(LockRequest request, Flux<T> section);

	/**
	 * Run a section with several values under a lock with the default times.
	 * @param name name of the lock
	 * @param section what to run
	 * @param <T> type of its values
	 * @return the section's values, or an error
	 * @see #execute(LockRequest, Flux)
	 */
	default <T> Flux<T> execute(String name, Flux<T> section) {
		return execute(LockRequest.of(name), section);
	}

	/**
	 * Run a section under a lock if the lock is had within the wait time. Its values are
	 * dropped.
	 * @param request which lock, and how
	 * @param section what to run
	 * @return whether the section ran, or an error
	 */
	Mono<Boolean> tryExecute(LockRequest request, Publisher<?> section);

	/**
	 * Take a lock. To be used with {@link Mono#usingWhen} or {@link Flux#usingWhen},
	 * which give it back however the work ends; not re-entrant.
	 * @param request which lock, and how
	 * @return the hold, to be closed by the subscriber with
	 * {@link LockHandle#closeAsync()}, or an error
	 */
	Mono<LockHandle> acquire(LockRequest request);

	/**
	 * Take a lock or complete empty.
	 * @param request which lock, and how
	 * @return the hold, to be closed by the subscriber, or nothing if the lock stayed
	 * busy for the wait time
	 * @see #acquire(LockRequest)
	 */
	Mono<LockHandle> tryAcquire(LockRequest request);

	/**
	 * Return the reactive form of blocking operations: the same locks, which exclude each
	 * other whichever form takes them.
	 * @param operations the blocking form
	 * @param onLost what happens to a section whose lease is lost, where a request says
	 * nothing; {@link OnLost#INTERRUPT} cancels the section
	 * @return the reactive form
	 */
	static ReactiveLockOperations of(LockOperations operations, OnLost onLost) {
		return new ReactiveLocks(operations, onLost);
	}

}
