package io.github.lockboot;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Acquires and releases locks. Implementations are thread-safe; one instance serves an
 * application.
 * <p>
 * {@code execute} and {@code tryExecute} are re-entrant: a thread that holds a lock
 * through one of them acquires the same lock again at once and without a call to the
 * store. {@code acquire} and {@code tryAcquire} are not re-entrant: each call is a
 * separate hold.
 * <p>
 * All of these methods accept a request for several locks and acquire either all of the
 * locks or none: at once if all are free, otherwise one after the other, in an order that
 * all callers use.
 * <p>
 * The wait time limits the wait for the lock. The wait for the store's reply has a limit
 * of its own. Even with a wait time of zero, a caller waits for the reply to one attempt.
 * <p>
 * Every method throws {@link LockUnavailableException} if the store cannot be reached: a
 * section never runs without its lock.
 * <p>
 * {@code execute}, {@code tryExecute}, {@code acquire} and {@code tryAcquire} throw
 * {@link LockInterruptedException} if the calling thread is interrupted while it waits. A
 * thread that was interrupted before the call gets the exception at once, without a
 * command to the store and even if the lock is free or held by the thread. The interrupt
 * flag is set when the exception is thrown, and the thread holds no more locks than
 * before. An interrupt prevents neither a release nor an asynchronous call.
 *
 * @since 1.0.0
 */
public interface LockOperations {

	/**
	 * Run a section under a lock and return its value.
	 * @param request which lock to acquire, and how
	 * @param section the section to run
	 * @param <T> type of the value
	 * @param <X> what the section may throw
	 * @return the value of the section
	 * @throws X what the section throws
	 * @throws LockNotAcquiredException if the lock stayed busy for the wait time, or too
	 * many callers waited for it; the section did not run
	 * @throws LockLostException if the lease was lost while the section ran, and the
	 * request has {@link OnLost#THROW} or {@link OnLost#INTERRUPT}
	 */
	<T extends @Nullable Object, X extends Throwable> T execute(LockRequest request, LockCallback<T, X> section)
			throws X;

	/**
	 * Run a section under a lock with the default settings and return its value.
	 * @param name name of the lock
	 * @param section the section to run
	 * @param <T> type of the value
	 * @param <X> what the section may throw
	 * @return the value of the section
	 * @throws X what the section throws
	 * @see #execute(LockRequest, LockCallback)
	 */
	default <T extends @Nullable Object, X extends Throwable> T execute(String name, LockCallback<T, X> section)
			throws X {
		return execute(LockRequest.of(name), section);
	}

	/**
	 * Run a section under a lock.
	 * @param request which lock to acquire, and how
	 * @param section the section to run
	 * @param <X> what the section may throw
	 * @throws X what the section throws
	 * @see #execute(LockRequest, LockCallback)
	 */
	@SuppressWarnings("NullAway") // a Void is always null
	default <X extends Throwable> void execute(LockRequest request, LockAction<X> section) throws X {
		Assert.notNull(section, () -> "The section to run under lock '" + request.name() + "' must not be null");
		this.<@Nullable Void, X>execute(request, () -> {
			section.run();
			return null;
		});
	}

	/**
	 * Run a section under a lock with the default settings.
	 * @param name name of the lock
	 * @param section the section to run
	 * @param <X> what the section may throw
	 * @throws X what the section throws
	 * @see #execute(LockRequest, LockCallback)
	 */
	default <X extends Throwable> void execute(String name, LockAction<X> section) throws X {
		execute(LockRequest.of(name), section);
	}

	/**
	 * Run a section under a lock, if the lock is acquired within the wait time.
	 * @param request which lock to acquire, and how
	 * @param section the section to run
	 * @param <X> what the section may throw
	 * @return whether the section ran
	 * @throws X what the section throws
	 * @throws LockLostException as with {@link #execute(LockRequest, LockCallback)}
	 */
	<X extends Throwable> boolean tryExecute(LockRequest request, LockAction<X> section) throws X;

	/**
	 * Acquire a lock.
	 * @param request which lock to acquire, and how
	 * @return the hold, which the caller must close
	 * @throws LockNotAcquiredException if the lock stayed busy for the wait time
	 */
	LockHandle acquire(LockRequest request);

	/**
	 * Acquire a lock with the default settings.
	 * @param name name of the lock
	 * @return the hold, which the caller must close
	 * @throws LockNotAcquiredException if the lock stayed busy for the wait time
	 */
	default LockHandle acquire(String name) {
		return acquire(LockRequest.of(name));
	}

	/**
	 * Acquire a lock, if it is available within the wait time.
	 * @param request which lock to acquire, and how
	 * @return the hold, which the caller must close, or {@code null} if the lock stayed
	 * busy for the wait time
	 */
	@Nullable LockHandle tryAcquire(LockRequest request);

	/**
	 * Acquire a lock without blocking a thread. To give up, cancel the stage with
	 * {@link java.util.concurrent.CompletableFuture#cancel}.
	 * @param request which lock to acquire, and how
	 * @return a stage that is completed with the hold, which the caller must close, or
	 * exceptionally with the {@link LockException} that {@link #acquire(LockRequest)}
	 * would throw; never completed on a thread of the store's client
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Acquire a lock without blocking a thread, if it is available within the wait time.
	 * @param request which lock to acquire, and how
	 * @return a stage that is completed with the hold, which the caller must close, or
	 * with {@code null} if the lock stayed busy for the wait time
	 * @see #acquireAsync(LockRequest)
	 */
	CompletionStage<@Nullable LockHandle> tryAcquireAsync(LockRequest request);

	/**
	 * Return a view of a lock as {@link java.util.concurrent.locks.Lock}. The lock
	 * belongs to the thread that locked it and is re-entrant together with
	 * {@code execute}. The view has no conditions.
	 * <p>
	 * {@code lock} and {@code lockInterruptibly} wait for a busy lock without a limit,
	 * but throw {@link LockNotAcquiredException} if too many callers wait, and
	 * {@link LockUnavailableException} if the store fails for the default wait time. If
	 * too many callers wait, {@code tryLock} with a time returns {@code false} at once.
	 * As in the JDK, {@code lock} and {@code tryLock} without a time ignore an interrupt
	 * and keep the flag, while {@code lockInterruptibly} and {@code tryLock} with a time
	 * throw {@link InterruptedException} and clear the flag. {@code unlock} throws
	 * {@link IllegalMonitorStateException} if the thread does not hold the lock, and
	 * {@link LockLostException} if the lock was lost.
	 * <p>
	 * A thread that has lost the lock and locks it again without {@code unlock} acquires
	 * a new hold: each {@code unlock} then counts for the new hold. If a section of
	 * {@code execute} has acquired the lost hold, {@link LockLostException} is thrown
	 * until the section has ended.
	 * @param request which lock to acquire, and how; the wait time of the request is
	 * ignored
	 * @return a view without state of its own
	 */
	LeasedLock asLock(LockRequest request);

	/**
	 * Return a view of a lock with the default settings as
	 * {@link java.util.concurrent.locks.Lock}.
	 * @param name name of the lock
	 * @return a view without state of its own
	 * @see #asLock(LockRequest)
	 */
	default LeasedLock asLock(String name) {
		return asLock(LockRequest.of(name));
	}

	/**
	 * Return a view of a lock as {@link java.util.concurrent.locks.ReadWriteLock}. The
	 * read lock is shared with all other readers; the write lock is the one of
	 * {@link #asLock}.
	 * <p>
	 * A thread that holds the write lock may acquire the read lock, and keep the read
	 * lock when it releases the write lock: waiting readers then acquire the lock at
	 * once. A thread that holds the read lock cannot acquire the write lock, since that
	 * would deadlock: {@code tryLock}, with or without a time, returns false at once, and
	 * {@code lock} throws {@link IllegalStateException}. A thread that has lost one of
	 * the two locks gets {@link LockLostException} from the other lock until it has
	 * unlocked the lost one.
	 * @param name name of the lock
	 * @return a view without state of its own
	 */
	ReadWriteLock asReadWriteLock(String name);

	/**
	 * Return a semaphore: a lock that several callers may hold at the same time.
	 * @param name name of the lock; a semaphore and a lock of the same name exclude each
	 * other
	 * @param permits how many callers may hold the semaphore, over all instances
	 * @return a view without state of its own
	 */
	default LockSemaphore semaphore(String name, int permits) {
		return new LockSemaphore(this, LockRequest.of(name).permits(permits));
	}

	/**
	 * Throw an exception if the store can never serve such a request, whether the lock is
	 * free or not. This method sends no command to the store. The library checks
	 * annotated methods with it at startup.
	 * @param request which lock to acquire, and how
	 * @throws UnsupportedOperationException if the store does not support the request;
	 * the message contains an alternative
	 */
	default void requireSupported(LockRequest request) {
	}

	/**
	 * Throw an exception if the current thread has lost a lock. Call this method before a
	 * write in a section of {@code execute}, in an annotated method, or after
	 * {@code asLock(name).lock()}. It sends no command to the store.
	 * @param name name of the lock
	 * @throws LockLostException if the lease was lost
	 * @throws IllegalStateException if the thread does not hold the lock in one of these
	 * ways
	 */
	void ensureHeld(String name);

	/**
	 * Return the fencing token of a lock that the current thread holds in a section of
	 * {@code execute}, in an annotated method, or after {@code asLock(name).lock()}. This
	 * method sends no command to the store.
	 * @param name name of the lock
	 * @return the token, see {@link LockHandle#fencingToken()}
	 * @throws IllegalStateException if the thread does not hold the lock in one of these
	 * ways
	 */
	long fencingToken(String name);

	/**
	 * Return the state of a lock in the store, over all instances. With Redlock a
	 * majority of the masters has to reply. While the other masters do not reply, a lock
	 * counts as held if those masters could complete an owner's majority.
	 * @param name name of the lock
	 * @return the state of the lock at this moment
	 */
	LockState inspect(String name);

	/**
	 * Return the locks that are held, over all instances, in the order in which the store
	 * sorts their names. This method is for operators: there is no index, so Redis visits
	 * all its keys, a database the rows of its table, and ZooKeeper the nodes below its
	 * root. A lock that is acquired or released meanwhile may be missing.
	 * @param pattern the names to look for, in which {@code *} stands for any characters
	 * @param after name of the last lock of the page before, or {@code null} for the
	 * first page
	 * @param limit how many locks to return, 1 to 1000. The last page has fewer
	 * @return the states of the locks
	 * @throws IllegalArgumentException if the pattern is blank or has more than three
	 * {@code *}, or the limit is out of its range
	 * @throws UnsupportedOperationException if the store keeps too much to be visited:
	 * more than a million keys in Redis or rows in a database, or more than 5000 nodes in
	 * ZooKeeper; the message contains an alternative
	 */
	List<LockState> list(String pattern, @Nullable String after, int limit);

	/**
	 * Release a lock by force, even if another caller holds it. This method is for
	 * operators only: the holder is notified as soon as possible, but may still be
	 * working.
	 * @param name name of the lock
	 * @return whether the lock was held
	 */
	boolean forceRelease(String name);

	/**
	 * A lock that belongs to the thread that locked it, see
	 * {@link LockOperations#asLock(LockRequest)}. A hold time limits the hold as
	 * {@link LockRequest#maxHoldTime()} does: the lock is lost after that time. Zero or a
	 * negative time stands for the limit of the request.
	 */
	interface LeasedLock extends Lock {

		/**
		 * Acquire the lock as {@link #lock()} does, for a limited time.
		 * @param holdTime maximum hold time, at least 10 ms
		 * @param unit unit of the time
		 */
		void lock(long holdTime, TimeUnit unit);

		/**
		 * Acquire the lock as {@link #tryLock(long, TimeUnit)} does, for a limited time.
		 * @param waitTime how long to wait for a busy lock
		 * @param holdTime maximum hold time, at least 10 ms
		 * @param unit unit of both times
		 * @return whether the lock was acquired
		 * @throws InterruptedException if the thread was interrupted
		 */
		boolean tryLock(long waitTime, long holdTime, TimeUnit unit) throws InterruptedException;

		/**
		 * Return whether the current thread holds the lock. This method sends no command
		 * to the store. If it returns {@code false} because the lock was lost, the thread
		 * need not unlock the lock, except within a section that holds the same lock.
		 * Several locks are held until the first of them is lost.
		 * @return whether the thread holds the lock
		 */
		boolean isHeldByCurrentThread();

		/**
		 * Return whether anybody holds the lock, over all instances.
		 * @see LockOperations#inspect(String)
		 */
		boolean isLocked();

		/**
		 * Return the name of the lock, or the names of all locks in one text.
		 */
		String name();

	}

}
