package io.github.lockboot.test;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * Another node of the application that is tested: holds locks, so that the application
 * has to wait or goes without them, and takes locks from it, so that it loses them. It
 * works on the same locks, be they in memory or in Redis, as an instance of its own: no
 * hold of it is re-entrant for a thread of the test, and no listener of the application
 * hears of it. Thread-safe.
 * <p>
 * A bean of a test's application. What it holds is given back after each test.
 *
 * @since 1.0.0
 */
public final class OtherNode implements AutoCloseable {

	/** More than any store needs to tell who has lost a lock. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final LockOperations application;

	private final LockJournal journal;

	private final LazyInstance instance;

	private final Queue<LockHandle> holds = new ConcurrentLinkedQueue<>();

	OtherNode(LockOperations application, LockJournal journal) {
		this.application = application;
		this.journal = journal;
		this.instance = new LazyInstance(application);
	}

	/**
	 * Create another node beside a template that was made by hand.
	 * @param application the template of the application
	 * @param journal a listener of that template
	 * @return the node, to be closed by the caller
	 */
	public static OtherNode beside(LockOperations application, LockJournal journal) {
		return new OtherNode(application, journal);
	}

	/**
	 * Hold a lock from now on, until {@link #release}. Its lease is renewed meanwhile.
	 * @param name name of the lock, for an annotated method {@code name:key}
	 * @return the hold
	 * @throws AssertionError if somebody has the lock
	 */
	public LockHandle hold(String name) {
		return hold(LockRequest.of(name));
	}

	/**
	 * Hold a lock from now on, until {@link #release}: one that is shared, or has
	 * permits, or a lease of its own.
	 * @param request which lock, and how; its wait time does not count
	 * @return the hold
	 * @throws AssertionError if the lock is not to be had
	 */
	public LockHandle hold(LockRequest request) {
		return acquire(request.waitTime(Duration.ZERO));
	}

	/**
	 * Take a lock away from whoever holds it, and hold it from now on: what happens when
	 * the holder stands still for longer than its lease, and this node is the next. The
	 * application knows of it when this method returns.
	 * @param name name of the lock
	 * @return the hold
	 * @throws AssertionError if nobody holds the lock, somebody else gets it first and
	 * keeps it, or the application is not told within half a minute
	 */
	public LockHandle takeOver(String name) {
		this.instance.get(); // connects, which can't be done once the thread is
								// interrupted
		loseLease(name);
		return acquire(LockRequest.of(name).waitTime(PATIENCE));
	}

	/**
	 * Let whoever holds a lock lose it, as when its lease runs out; this node does not
	 * take it. The application knows of it when this method returns. May be called in the
	 * middle of a locked method, by the very thread that holds the lock.
	 * @param name name of the lock
	 * @throws AssertionError if nobody holds the lock, or the application is not told
	 * within half a minute
	 */
	public void loseLease(String name) {
		CompletableFuture<Void> told = this.journal.endOfHolds(name);
		if (!this.application.forceRelease(name)) {
			throw new AssertionError("Nobody holds lock '" + name + "', so nobody can lose it");
		}
		told.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).exceptionally((late) -> {
			throw new AssertionError("The holder of lock '" + name + "' was not told that it is lost", late);
		}).join();
	}

	/**
	 * Give a lock back.
	 * @param name name of the lock
	 * @throws AssertionError if this node does not hold it
	 */
	public void release(String name) {
		List<LockHandle> handles = this.holds.stream().filter((handle) -> handle.name().equals(name)).toList();
		if (handles.isEmpty()) {
			throw new AssertionError("The other node does not hold lock '" + name + "'");
		}
		handles.forEach(this::release);
	}

	/**
	 * Give back whatever this node holds.
	 */
	public void releaseAll() {
		this.holds.forEach(this::release);
	}

	@Override
	public void close() {
		releaseAll();
		this.instance.close();
	}

	private void release(LockHandle handle) {
		this.holds.remove(handle);
		handle.close();
	}

	/** Without an ear for interrupts, which a lost lock may bring to its thread. */
	private LockHandle acquire(LockRequest request) {
		LockHandle handle = this.instance.get().tryAcquireAsync(request).toCompletableFuture().join();
		if (handle == null) {
			throw new AssertionError("The other node can't have lock '" + request.name() + "': "
					+ this.application.inspect(request.name()));
		}
		this.holds.add(handle);
		return handle;
	}

}
