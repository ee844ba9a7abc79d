package io.github.lockboot.jdbc;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.OutageLog;
import io.github.lockboot.jdbc.LockConnection.Work;

/**
 * Threads that work on the database, with as many connections, each of which is opened at
 * the start, and again after a failure. A caller that waits for the reply anyway may use
 * an idle connection itself, because two threads that wake each other take longer than
 * many a statement. Thread-safe.
 */
final class LockWorkers implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LockWorkers.class);

	/** A transaction that the database has chosen as a victim is repeated so often. */
	private static final int MOST_TRIES = 5;

	/** How long to leave a brief task to a caller. */
	private static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

	/** A caller who did a brief task with its own may leave another one for so long. */
	private static final long ACTIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final Connector connector;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Condition changed = this.mutex.newCondition();

	/** Not signalled by tasks that are left to callers: waking a thread takes long. */
	private final Condition lingering = this.mutex.newCondition();

	/** Guarded by the mutex. */
	private final Queue<Task<?>> tasks = new ArrayDeque<>();

	/** The connections that no thread uses; guarded by the mutex. */
	private final Queue<Slot> idle = new ArrayDeque<>();

	/** When a caller last did a brief task before its own. */
	private volatile long takenAlongNanos = System.nanoTime() - ACTIVE_NANOS;

	/** Guarded by the mutex. */
	private boolean closed;

	/** Present while no reply comes. */
	private final AtomicReference<@Nullable OutageLog> outage;

	LockWorkers(String name, int count, Connector connector, AtomicReference<@Nullable OutageLog> outage) {
		this.connector = connector;
		this.outage = outage;
		DaemonThreads factory = new DaemonThreads(name);
		for (int i = 0; i < count; i++) {
			factory.newThread(this::work).start();
		}
	}

	/**
	 * Do work on one of the connections. It is not done if its reply is complete before
	 * its turn.
	 */
	<T> void execute(CompletableFuture<T> reply, Work<T> work) {
		add(new Task<>(reply, work, false));
	}

	/** Do work that takes a statement or two. */
	<T> void executeBriefly(CompletableFuture<T> reply, Work<T> work) {
		add(new Task<>(reply, work, true));
	}

	private void add(Task<?> task) {
		this.mutex.lock();
		try {
			if (!this.closed) {
				this.tasks.add(task);
				this.changed.signal();
				if (!isLeftToCallers()) {
					this.lingering.signal();
				}
				return;
			}
		}
		finally {
			this.mutex.unlock();
		}
		task.refuse();
	}

	/**
	 * Do work on the present thread, if a connection is open and idle, after the only
	 * task that may come before, a brief one.
	 * @param limitNanos how long to wait for replies at most
	 * @return whether the work was done; else the reply is not complete
	 */
	<T> boolean executeHere(CompletableFuture<T> reply, Work<T> work, long limitNanos) {
		Task<?> before;
		Slot slot;
		LockConnection connection;
		this.mutex.lock();
		try {
			slot = this.idle.peek();
			before = this.tasks.peek();
			if (slot == null || slot.connection == null || !isShort()) {
				return false;
			}
			connection = slot.connection;
			this.idle.remove();
			this.tasks.poll();
		}
		finally {
			this.mutex.unlock();
		}
		connection.limit(limitNanos);
		try {
			if (before != null) {
				run(slot, before);
			}
			if (slot.connection == null) {
				return false;
			}
			run(slot, new Task<>(reply, work, true));
			if (before != null) {
				this.takenAlongNanos = System.nanoTime();
			}
			return true;
		}
		finally {
			connection.unlimit();
			giveBack(slot);
		}
	}

	private void work() {
		Slot first = new Slot();
		first.openEarly(this.connector);
		giveBack(first);
		try {
			for (Turn turn = next(); turn != null; turn = next()) {
				run(turn.slot, turn.task);
				giveBack(turn.slot);
			}
		}
		catch (InterruptedException ex) {
			logger.warn("A thread of the locks was interrupted, and ends", ex);
		}
	}

	/** Wait for a task and a connection; {@code null} when the workers are closed. */
	private @Nullable Turn next() throws InterruptedException {
		this.mutex.lock();
		try {
			while (!this.closed) {
				if (isLeftToCallers()) {
					this.lingering.awaitNanos(LINGER_NANOS);
				}
				else if (this.tasks.isEmpty() || this.idle.isEmpty()) {
					this.changed.await();
				}
				else {
					return new Turn(this.tasks.remove(), this.idle.remove());
				}
			}
			return null;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Return whether a caller may do what is to be done before its own task. */
	private boolean isShort() {
		Task<?> first = this.tasks.peek();
		return first == null || (first.brief && this.tasks.size() == 1);
	}

	/**
	 * Two threads that take turns on a connection wake each other for each section, which
	 * takes long, so the thread of a caller who comes again soon keeps it.
	 */
	private boolean isLeftToCallers() {
		Task<?> first = this.tasks.peek();
		long now = System.nanoTime();
		return isShort() && now - this.takenAlongNanos < ACTIVE_NANOS
				&& (first == null || now - first.sinceNanos < LINGER_NANOS);
	}

	/** A slot has no connection after a failure that is no reply. */
	private void run(Slot slot, Task<?> task) {
		slot.run(task, this.connector);
		OutageLog present = this.outage.get();
		if (slot.connection == null && task.reply.isCompletedExceptionally()) {
			OutageLog failing = (present != null) ? present : new OutageLog("The database", "locks");
			this.outage.compareAndSet(null, failing);
			failing.failed(failure(task.reply));
		}
		else if (slot.connection != null && present != null && this.outage.compareAndSet(present, null)) {
			present.ended();
		}
	}

	private static Throwable failure(CompletableFuture<?> reply) {
		return reply.handle((result, failure) -> failure).join();
	}

	private void giveBack(Slot slot) {
		this.mutex.lock();
		try {
			if (!this.closed) {
				this.idle.add(slot);
				if (!this.tasks.isEmpty()) {
					this.changed.signal();
				}
				return;
			}
		}
		finally {
			this.mutex.unlock();
		}
		slot.close();
	}

	@Override
	public void close() {
		List<Task<?>> left;
		List<Slot> unused;
		this.mutex.lock();
		try {
			this.closed = true;
			left = new ArrayList<>(this.tasks);
			unused = new ArrayList<>(this.idle);
			this.tasks.clear();
			this.idle.clear();
			this.changed.signalAll();
		}
		finally {
			this.mutex.unlock();
		}
		left.forEach(Task::refuse);
		unused.forEach(Slot::close);
	}

	/** Opens a connection. */
	interface Connector {

		LockConnection open() throws SQLException;

	}

	private record Turn(Task<?> task, Slot slot) {

	}

	private record Task<T>(CompletableFuture<T> reply, Work<T> work, boolean brief, long sinceNanos) {

		Task(CompletableFuture<T> reply, Work<T> work, boolean brief) {
			this(reply, work, brief, System.nanoTime());
		}

		void refuse() {
			this.reply.completeExceptionally(new NotExecutedException("The locks are closed", null));
		}

		/** Returns whether the connection may be used again. */
		boolean run(LockConnection connection) {
			for (int tries = 1;; tries++) {
				try {
					this.reply.complete(this.work.run(connection));
					return true;
				}
				catch (SQLException ex) {
					if (tries == MOST_TRIES || !SqlStates.isRetried(ex)) {
						this.reply.completeExceptionally(ex);
						return SqlStates.isRefusal(ex) && !SqlStates.isReadOnly(ex);
					}
				}
				catch (RuntimeException | Error ex) {
					this.reply.completeExceptionally(ex);
					return false;
				}
			}
		}

	}

	/** One connection; used by one thread at a time. */
	private static final class Slot {

		private @Nullable LockConnection connection;

		/** The first call must not wait for a connection. */
		void openEarly(Connector connector) {
			try {
				this.connection = connector.open();
			}
			catch (SQLException | RuntimeException ex) {
				logger.debug("A connection of the locks could not be opened; it is tried again", ex);
			}
		}

		void run(Task<?> task, Connector connector) {
			if (task.reply.isDone()) {
				return;
			}
			try {
				LockConnection open = (this.connection != null) ? this.connection : connector.open();
				this.connection = open;
				if (!task.run(open)) {
					close();
				}
			}
			catch (SQLException | RuntimeException ex) {
				task.reply.completeExceptionally(
						new NotExecutedException("The database of the locks can't be reached: " + ex.getMessage(), ex));
			}
		}

		void close() {
			LockConnection open = this.connection;
			this.connection = null;
			if (open != null) {
				try {
					open.close();
				}
				catch (SQLException ex) {
					logger.debug("A connection of the locks could not be closed", ex);
				}
			}
		}

	}

}
