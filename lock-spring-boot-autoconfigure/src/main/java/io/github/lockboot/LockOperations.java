package io.github.lockboot;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;

/**
 * Takes and gives back locks. Thread-safe; one instance serves an application.
 * <p>
 * {@code execute} and {@code tryExecute} are re-entrant: a thread that holds a lock
 * through one of them, and asks for the same lock again through one of them, has it at
 * once and without a call to the store. {@code acquire} and {@code tryAcquire} give a
 * hold of its own each time and are not re-entrant.
 * <p>
 * A request for several locks is taken by all of these methods, all locks or none: at
 * once if all are free, else one after the other in one order for all callers.
 * <p>
 * The wait time bounds the wait for the lock. A store that does not answer at all is
 * waited for until the store's own time limit, so that even a wait time of zero gets the
 * answer to one try.
 * <p>
 * Every method throws {@link LockUnavailableException} if the store can't be reached: a
 * section never runs without its lock.
 * <p>
 * {@code execute}, {@code tryExecute}, {@code acquire} and {@code tryAcquire} throw
 * {@link LockInterruptedException} at once if their thread is interrupted when it calls
 * them, even for a free lock or one that it holds already, and nothing is asked of the
 * store; likewise if it is interrupted while it waits. The interrupt flag is set when
 * they throw, and the thread holds nothing more than before. Locks are given back on
 * interrupted threads too. Asynchronous methods don't care.
 *
 * @since 1.0.0
 */
public interface LockOperations {

	/**
	 * Run a section under a lock and return its value.
	 * @param request which lock, and how
	 * @param section what to run
	 * @param <T> type of the value
	 * @param <X> what the section may throw
	 * @return the value of the section
	 * @throws X what the section throws
	 * @throws LockNotAcquiredException if the lock stayed busy for the wait time; the
	 * section did not run
	 * @throws LockLostException if the lease was lost while the section ran, and the
	 * request says {@link OnLost#THROW} or {@link OnLost#INTERRUPT}
	 */
	<T extends @Nullable Object, X extends Throwable> T execute(LockRequest request, LockCallback<T, X> section)
			throws X;

	/**
	 * Run a section under a lock with the default times and return its value.
	 * @param name name of the lock
	 * @param section what to run
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
	 * @param request which lock, and how
	 * @param section what to run
	 * @param <X> what the section may throw
	 * @throws X what the section throws
	 * @see #execute(LockRequest, LockCallback)
	 */
	@SuppressWarnings("NullAway") // Void is nullable by nature
	default <X extends Throwable> void execute(LockRequest request, LockAction<X> section) throws X {
		this.<@Nullable Void, X>execute(request, () -> {
			section.run();
			return null;
		});
	}

	/**
	 * Run a section under a lock with the default times.
	 * @param name name of the lock
	 * @param section what to run
	 * @param <X> what the section may throw
	 * @throws X what the section throws
	 * @see #execute(LockRequest, LockCallback)
	 */
	default <X extends Throwable> void execute(String name, LockAction<X> section) throws X {
		execute(LockRequest.of(name), section);
	}

	/**
	 * Run a section under a lock if the lock is had within the wait time.
	 * @param request which lock, and how
	 * @param section what to run
	 * @param <X> what the section may throw
	 * @return whether the section ran
	 * @throws X what the section throws
	 */
	<X extends Throwable> boolean tryExecute(LockRequest request, LockAction<X> section) throws X;

	/**
	 * Take a lock or throw.
	 * @param request which lock, and how
	 * @return the hold, to be closed by the caller
	 * @throws LockNotAcquiredException if the lock stayed busy for the wait time
	 */
	LockHandle acquire(LockRequest request);

	/**
	 * Take a lock with the default times or throw.
	 * @param name name of the lock
	 * @return the hold, to be closed by the caller
	 * @throws LockNotAcquiredException if the lock stayed busy for the wait time
	 */
	default LockHandle acquire(String name) {
		return acquire(LockRequest.of(name));
	}

	/**
	 * Take a lock or return {@code null}.
	 * @param request which lock, and how
	 * @return the hold, to be closed by the caller, or {@code null} if the lock stayed
	 * busy for the wait time; then nothing is left behind
	 */
	@Nullable LockHandle tryAcquire(LockRequest request);

	/**
	 * Take a lock without blocking a thread.
	 * @param request which lock, and how
	 * @return completed with the hold, to be closed by the caller, or exceptionally with
	 * a {@link LockException} as the blocking form would throw; never on a thread of the
	 * store's client. A caller that does not want the lock any more cancels it by
	 * {@link java.util.concurrent.CompletableFuture#cancel}.
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Take a lock without blocking a thread, or complete with {@code null}.
	 * @param request which lock, and how
	 * @return completed with the hold, to be closed by the caller, or with {@code null}
	 * if the lock stayed busy for the wait time
	 * @see #acquireAsync(LockRequest)
	 */
	CompletionStage<@Nullable LockHandle> tryAcquireAsync(LockRequest request);

	/**
	 * Return a lock as {@link java.util.concurrent.locks.Lock} for code that works with
	 * those. It belongs to the thread that locked it, and is re-entrant together with
	 * {@code execute}. {@code lock} and {@code lockInterruptibly} wait without end for a
	 * busy lock, but throw {@link LockUnavailableException} if the store fails for the
	 * default wait time. As in the JDK, {@code lock} and {@code tryLock} without a time
	 * do not care whether the thread is interrupted and keep its flag, while
	 * {@code lockInterruptibly} and {@code tryLock} with a time throw
	 * {@link InterruptedException} and clear it. {@code unlock} of a lock that the thread
	 * does not hold throws {@link IllegalMonitorStateException}, and of one that was lost
	 * {@link LockLostException}. There are no conditions.
	 * <p>
	 * A thread that has lost the lock and locks it again without {@code unlock} takes it
	 * anew: the lost hold is forgotten, and each {@code unlock} counts for the new one.
	 * If it was a section that took the lost hold, the lock can't be taken before the
	 * section has ended, and {@link LockLostException} is thrown until then.
	 * @param request which lock, and how; its wait time does not count
	 * @return a view of the lock, which keeps nothing and may be thrown away
	 */
	Lock asLock(LockRequest request);

	/**
	 * Return a lock as {@link java.util.concurrent.locks.Lock}, with the default times.
	 * @param name name of the lock
	 * @return a view of the lock, which keeps nothing and may be thrown away
	 * @see #asLock(LockRequest)
	 */
	default Lock asLock(String name) {
		return asLock(LockRequest.of(name));
	}

	/**
	 * Return a lock as {@link java.util.concurrent.locks.ReadWriteLock}: its read lock is
	 * shared with all who share it, its write lock is {@link #asLock}. A thread that has
	 * the write lock may take the read lock too, and keep it when it gives the write lock
	 * back: waiting readers have the lock at once then. The other way round would wait
	 * for itself: {@code tryLock}, with a time too, returns false at once, and
	 * {@code lock} throws {@link IllegalStateException}. A thread that has lost the one
	 * and takes the other gets a {@link LockLostException}, until it has unlocked the
	 * first.
	 * @param name name of the lock
	 * @return a view of the lock, which keeps nothing and may be thrown away
	 */
	ReadWriteLock asReadWriteLock(String name);

	/**
	 * Return a semaphore: a lock that several may hold at the same time.
	 * @param name name of the lock; a semaphore and a lock of the same name are the same,
	 * and exclude each other
	 * @param permits how many may hold it, over all instances
	 * @return a view of the semaphore, which keeps nothing and may be thrown away
	 */
	default LockSemaphore semaphore(String name, int permits) {
		return new LockSemaphore(this, LockRequest.of(name).permits(permits));
	}

	/**
	 * Throw if a lock can never be taken in a certain way here, whoever has it now.
	 * Answered from memory; annotated methods are checked by it at the start.
	 * @param request the lock, and how it is to be taken
	 * @throws UnsupportedOperationException if the store can't do that; the message tells
	 * what to do instead
	 */
	default void requireSupported(LockRequest request) {
	}

	/**
	 * Throw if the present thread has lost a lock: the check to place before a write, in
	 * a section of {@code execute}, in an annotated method, or after
	 * {@code asLock(name).lock()}. Answered from memory.
	 * @param name name of the lock
	 * @throws LockLostException if the lease was lost
	 * @throws IllegalStateException if this thread does not hold the lock in one of these
	 * ways
	 */
	void ensureHeld(String name);

	/**
	 * Return the fencing token of a lock that the present thread holds in a section of
	 * {@code execute}, in an annotated method, or after {@code asLock(name).lock()}. Read
	 * from memory.
	 * @param name name of the lock
	 * @return the token, as {@link LockHandle#fencingToken()} gives it
	 * @throws IllegalStateException if this thread does not hold the lock in one of these
	 * ways
	 */
	long fencingToken(String name);

	/**
	 * Return what the store knows of a lock, over all instances. With Redlock a majority
	 * of the masters has to answer; while others do not, a lock counts as held if they
	 * may be among the majority of an owner.
	 * @param name name of the lock
	 * @return its state at this moment
	 * @throws LockUnavailableException if the store can't be reached
	 */
	LockState inspect(String name);

	/**
	 * Take a lock away from whoever holds it, to be used by operators only: the holder is
	 * told as soon as can be, and may still be at work.
	 * @param name name of the lock
	 * @return whether somebody held it
	 * @throws LockUnavailableException if the store can't be reached
	 */
	boolean forceRelease(String name);

}
