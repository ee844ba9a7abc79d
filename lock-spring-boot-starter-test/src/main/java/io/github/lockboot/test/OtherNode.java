package io.github.lockboot.test;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.function.SingletonSupplier;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;

/**
 * Another node of the tested application. This node holds locks, so that the application
 * waits or fails to acquire them, and takes locks over, so that the application loses
 * them. The node uses the same locks, in memory or in Redis, as a separate instance: its
 * holds are not re-entrant for a thread of the test, and the listeners of the application
 * are not notified of these holds. Thread-safe.
 * <p>
 * The node is a bean of a test's application. Its locks are released after each test.
 *
 * @since 1.0.0
 */
public final class OtherNode implements AutoCloseable {

	/** The time to wait for a notification of a loss, longer than any store needs. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final LockOperations application;

	private final LockJournal journal;

	/** Created at the first use, because it may have to connect. */
	private final SingletonSupplier<LockOperations> locks = SingletonSupplier.of(this::connect);

	private final Queue<LockHandle> holds = new ConcurrentLinkedQueue<>();

	private volatile @Nullable LockTemplate instance;

	OtherNode(LockOperations application, LockJournal journal) {
		this.application = application;
		this.journal = journal;
	}

	/**
	 * Create another node for a template that is not a bean.
	 * @param application the template of the application
	 * @param journal a listener of that template
	 * @return the node, to be closed by the caller
	 */
	public static OtherNode beside(LockOperations application, LockJournal journal) {
		return new OtherNode(application, journal);
	}

	/**
	 * Hold a lock from now on, until {@link #release}. The lease is renewed meanwhile.
	 * @param name name of the lock, for an annotated method {@code name:key}
	 * @return the hold
	 * @throws AssertionError if the lock is held
	 */
	public LockHandle hold(String name) {
		return hold(LockRequest.of(name));
	}

	/**
	 * Hold a lock from now on, until {@link #release}, with the options of a request:
	 * shared, with permits, or with its own lease.
	 * @param request the request, whose wait time is ignored
	 * @return the hold
	 * @throws AssertionError if the lock cannot be acquired
	 */
	public LockHandle hold(LockRequest request) {
		return acquire(request.waitTime(Duration.ZERO));
	}

	/**
	 * Take a lock over from its holder, and hold the lock from now on. This method
	 * simulates a holder that is suspended for longer than its lease while this node
	 * waits. The application has been notified of the loss when this method returns.
	 * @param name name of the lock
	 * @return the hold
	 * @throws AssertionError if the lock is not held, if another caller acquires the lock
	 * first and keeps it, or if the application is not notified within half a minute
	 */
	public LockHandle takeOver(String name) {
		// connects first, because the loss may interrupt this thread, which then cannot
		// connect
		this.locks.obtain();
		loseLease(name);
		return acquire(LockRequest.of(name).waitTime(PATIENCE));
	}

	/**
	 * Let the holder of a lock lose the lock, as when its lease expires. This node does
	 * not acquire the lock. The application has been notified of the loss when this
	 * method returns. This method may be called inside a locked method, by the thread
	 * that holds the lock.
	 * @param name name of the lock
	 * @throws AssertionError if the lock is not held, or if the application is not
	 * notified within half a minute
	 */
	public void loseLease(String name) {
		CompletableFuture<Void> notified = this.journal.endOfHolds(name);
		if (!this.application.forceRelease(name)) {
			throw new AssertionError("Lock '" + name + "' is not held, so it cannot be lost");
		}
		notified.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).exceptionally((late) -> {
			throw new AssertionError("The holder of lock '" + name + "' was not notified that it is lost", late);
		}).join();
	}

	/**
	 * Release a lock.
	 * @param name name of the lock
	 * @throws AssertionError if this node does not hold the lock
	 */
	public void release(String name) {
		List<LockHandle> handles = this.holds.stream().filter((handle) -> handle.name().equals(name)).toList();
		if (handles.isEmpty()) {
			throw new AssertionError("The other node does not hold lock '" + name + "'");
		}
		handles.forEach(this::release);
	}

	/**
	 * Release all locks of this node.
	 */
	public void releaseAll() {
		this.holds.forEach(this::release);
	}

	@Override
	public void close() {
		releaseAll();
		LockTemplate instance = this.instance;
		if (instance != null) {
			instance.close();
		}
	}

	/**
	 * Return a separate template, or the application's template if it is not a template
	 * of this library; its {@code acquire} is not re-entrant either.
	 */
	private LockOperations connect() {
		Object target = AopProxyUtils.getSingletonTarget(this.application);
		if (((target != null) ? target : this.application) instanceof LockTemplate template) {
			LockTemplate instance = LockLifecycle.anotherInstance(template);
			this.instance = instance;
			return instance;
		}
		return this.application;
	}

	private void release(LockHandle handle) {
		this.holds.remove(handle);
		handle.close();
	}

	/**
	 * Acquire a lock and ignore interrupts, because a lost lock may interrupt the calling
	 * thread.
	 */
	private LockHandle acquire(LockRequest request) {
		LockHandle handle = this.locks.obtain().tryAcquireAsync(request).toCompletableFuture().join();
		if (handle == null) {
			throw new AssertionError("The other node cannot acquire lock '" + request.name() + "': "
					+ this.application.inspect(request.name()));
		}
		this.holds.add(handle);
		return handle;
	}

}
