package io.github.lockboot.jdbc;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.Mutex;
import io.github.lockboot.fencing.SqlStates;
import io.github.lockboot.jdbc.LockConnection.Work;

/**
 * Threads that work on the database, with one connection for each thread. Each connection
 * is opened at the start, and again after a failure. A caller that waits for the reply
 * anyway may use an idle connection itself, because two threads that wake each other take
 * longer than many statements.
 * <p>
 * A connection that was idle for a second is tested before its next task. If the
 * connection was cut, another one executes the task. While no connection can be opened,
 * one thread at a time tries after pauses, and tasks fail at once. Thread-safe.
 * <p>
 * HikariCP could replace some 150 lines of this and its helpers, but it lets callers wait
 * in an outage, and it can't restore the settings of a session before it closes one.
 */
final class LockWorkers implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LockWorkers.class);

	/** How long a brief task is left to a caller. */
	private static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

	/**
	 * For how long another brief task is left to a caller that has executed one together
	 * with its own task.
	 */
	private static final long ACTIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/**
	 * For how long an idle connection is not tested: firewalls and servers drop an idle
	 * connection only after a longer time.
	 */
	private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final Connector connector;

	private final Mutex mutex = new Mutex();

	private final Condition changed = this.mutex.newCondition();

	/**
	 * Not signalled by tasks that are left to callers, because waking a thread takes
	 * long.
	 */
	private final Condition lingering = this.mutex.newCondition();

	/** Guarded by the mutex. */
	private final Deque<DatabaseTask<?>> tasks = new ArrayDeque<>();

	/**
	 * The connections that no thread uses, the last used one first; guarded by the mutex.
	 */
	private final Deque<Slot> idle = new ArrayDeque<>();

	/** The connections that are to be opened; guarded by the mutex. */
	private final Queue<Slot> unopened = new ArrayDeque<>();

	/** How many connections are open; guarded by the mutex. */
	private final ConnectionCounts connections = new ConnectionCounts();

	/** When a caller last executed a brief task before its own task. */
	private volatile long callersTaskNanos = System.nanoTime() - ACTIVE_NANOS;

	/** Guarded by the mutex. */
	private boolean closed;

	private final DatabaseHealth health;

	/**
	 * Create workers.
	 * @param count the number of threads and of connections
	 * @param health what these and other workers find out about the database
	 */
	LockWorkers(String name, int count, Connector connector, DatabaseHealth health) {
		this.connector = connector;
		this.health = health;
		DaemonThreads factory = new DaemonThreads(name);
		for (int i = 0; i < count; i++) {
			this.unopened.add(new Slot());
		}
		for (int i = 0; i < count; i++) {
			factory.newThread(this::work).start();
		}
	}

	/**
	 * Execute work on one of the connections. Work whose reply is complete before its
	 * turn is not executed.
	 */
	<T> void execute(CompletableFuture<T> reply, Work<T> work) {
		add(new DatabaseTask<>(reply, work, false), this.tasks::addLast);
	}

	/** Execute work that takes a statement or two. */
	<T> void executeBriefly(CompletableFuture<T> reply, Work<T> work) {
		add(new DatabaseTask<>(reply, work, true), this.tasks::addLast);
	}

	private void add(DatabaseTask<?> task, Consumer<DatabaseTask<?>> place) {
		NotExecutedException refusal = this.mutex.get(() -> {
			NotExecutedException reason = refusal();
			if (reason == null) {
				place.accept(task);
				this.changed.signal();
				if (!callersRunTasks()) {
					this.lingering.signal();
				}
			}
			return reason;
		});
		if (refusal != null) {
			fail(List.of(task), refusal);
		}
	}

	/** Return why no task can be executed now, if the reason is known. */
	private @Nullable NotExecutedException refusal() {
		return this.closed ? new NotExecutedException("The locks are closed", null) : this.connections.refusal();
	}

	private void fail(List<DatabaseTask<?>> tasks, NotExecutedException refusal) {
		for (DatabaseTask<?> task : tasks) {
			if (task.reply().completeExceptionally(refusal) && refusal.getCause() != null) {
				this.health.failed(refusal);
			}
		}
	}

	/**
	 * Execute work on the current thread, if a connection is open and idle, after at most
	 * one other task, which has to be brief.
	 * @param limitNanos how long to wait for replies at most
	 * @return false if the work is left to the caller, and the reply is not complete
	 */
	<T> boolean executeHere(CompletableFuture<T> reply, Work<T> work, long limitNanos) {
		Turn turn = nextHere();
		if (turn == null) {
			return false;
		}
		Slot slot = turn.slot;
		slot.limit(limitNanos);
		try {
			if (turn.task != null) {
				run(slot, turn.task);
			}
			if (!isAlive(slot)) {
				return false;
			}
			run(slot, new DatabaseTask<>(reply, work, true));
			if (turn.task != null) {
				this.callersTaskNanos = System.nanoTime();
			}
			return true;
		}
		finally {
			slot.unlimit();
			giveBack(slot);
		}
	}

	/**
	 * Return an idle connection with the task before that of the caller, if there is one;
	 * {@code null} if the caller has to leave its work to the threads.
	 */
	private @Nullable Turn nextHere() {
		return this.mutex
			.get(() -> (!this.idle.isEmpty() && isShort()) ? new Turn(this.idle.remove(), this.tasks.poll()) : null);
	}

	/** Work until the end. Nobody but a driver interrupts this thread. */
	private void work() {
		boolean more = true;
		while (more) {
			try {
				more = workOnce();
			}
			catch (InterruptedException ex) {
				logger.debug("A thread of the locks was interrupted, and goes on", ex);
			}
		}
	}

	/** Do the next task or open a connection, or return false at the end. */
	private boolean workOnce() throws InterruptedException {
		Turn turn = next();
		if (turn == null) {
			return false;
		}
		if (turn.task != null) {
			run(turn.slot, turn.task);
			giveBack(turn.slot);
		}
		else {
			open(turn.slot);
		}
		return true;
	}

	/**
	 * Wait for a task and a connection, or for a connection to open; {@code null} when
	 * the workers are closed.
	 */
	private @Nullable Turn next() throws InterruptedException {
		this.mutex.lock();
		try {
			while (!this.closed) {
				long pauseNanos = this.connections.pauseNanos();
				boolean mayOpen = !this.unopened.isEmpty() && this.connections.mayOpen();
				if (callersRunTasks()) {
					this.lingering.awaitNanos(LINGER_NANOS);
				}
				else if (!this.tasks.isEmpty() && !this.idle.isEmpty()) {
					return new Turn(this.idle.remove(), this.tasks.remove());
				}
				else if (mayOpen && pauseNanos <= 0) {
					this.connections.opening();
					return new Turn(this.unopened.remove(), null);
				}
				else if (mayOpen) {
					this.changed.awaitNanos(pauseNanos);
				}
				else {
					this.changed.await();
				}
			}
			return null;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void open(Slot slot) {
		Exception failure = null;
		try {
			slot.connection = this.connector.open();
			slot.usedNanos = System.nanoTime();
		}
		catch (SQLException | RuntimeException ex) {
			failure = ex;
		}
		catch (Error ex) { // such as a class of the driver that is missing
			failure = new IllegalStateException("The driver has failed: " + ex, ex);
		}
		List<DatabaseTask<?>> refused = new ArrayList<>();
		NotExecutedException refusal = opened(failure, refused);
		if (failure != null) {
			this.health.disconnected(failure);
			logger.debug("A connection of the locks could not be opened. It is tried again", failure);
		}
		else {
			this.health.answered();
		}
		if (refusal != null) {
			fail(refused, refusal);
		}
		giveBack(slot);
	}

	/**
	 * Note how the opening of a connection ended. If no task can be executed now, return
	 * the reason, and add all tasks to a list.
	 */
	private @Nullable NotExecutedException opened(@Nullable Exception failure, List<DatabaseTask<?>> refused) {
		return this.mutex.get(() -> {
			if (failure == null) {
				this.connections.opened();
				this.changed.signalAll();
			}
			else {
				this.connections.failed(this.health.explained(failure));
			}
			NotExecutedException refusal = refusal();
			if (refusal != null) {
				refused.addAll(this.tasks);
				this.tasks.clear();
			}
			return refusal;
		});
	}

	/** Return whether a connection can be used; one that was idle for long is tested. */
	private boolean isAlive(Slot slot) {
		LockConnection connection = slot.connection;
		if (connection == null) {
			return false;
		}
		if (isFresh(slot) || connection.isAlive()) {
			return true;
		}
		lost(slot);
		List<Slot> others = this.mutex.get(() -> {
			// if one idle connection was cut, all of them probably were
			List<Slot> stale = this.idle.stream().filter((other) -> !isFresh(other)).toList();
			this.idle.removeAll(stale);
			return stale;
		});
		others.forEach((other) -> {
			lost(other);
			giveBack(other);
		});
		return false;
	}

	private boolean isFresh(Slot slot) {
		long usedNanos = slot.usedNanos;
		return System.nanoTime() - usedNanos < FRESH_NANOS && !this.health.isLostSince(usedNanos);
	}

	/** Close a connection, which is opened again once its slot is given back. */
	private void lost(Slot slot) {
		slot.close();
		this.mutex.run(this.connections::lost);
	}

	/** Return whether a caller may execute the tasks before its own task. */
	private boolean isShort() {
		DatabaseTask<?> first = this.tasks.peek();
		return first == null || (first.brief() && this.tasks.size() == 1);
	}

	/**
	 * Return whether callers run the tasks. Two threads that take turns on a connection
	 * wake each other for each section, which takes long, so the thread of a caller that
	 * returns soon keeps the connection.
	 */
	private boolean callersRunTasks() {
		DatabaseTask<?> first = this.tasks.peek();
		long now = System.nanoTime();
		return isShort() && now - this.callersTaskNanos < ACTIVE_NANOS
				&& (first == null || now - first.sinceNanos() < LINGER_NANOS);
	}

	/** Execute a task. A slot has no connection after a failure that is not a reply. */
	private void run(Slot slot, DatabaseTask<?> task) {
		if (task.reply().isDone()) {
			return;
		}
		LockConnection connection = isAlive(slot) ? slot.connection : null;
		if (connection == null) {
			addFirst(task);
			return;
		}
		Throwable failure = task.run(connection);
		slot.usedNanos = System.nanoTime();
		if (failure == null) {
			this.health.answered();
			return;
		}
		Throwable explained = this.health.explained(failure);
		if (failure instanceof SQLException reply && SqlStates.isRefusal(reply) && !SqlStates.isReadOnly(reply)) {
			this.health.answered();
		}
		else {
			this.health.lost(); // before the caller repeats the request
			lost(slot);
			if (failure instanceof SQLException reply && !task.isRepeated() && SqlStates.isOfConnection(reply)) {
				addFirst(task.repeated());
				return;
			}
			this.health.failed(explained);
		}
		task.reply().completeExceptionally(explained);
	}

	/** Leave a task that was certainly not executed to another connection. */
	private void addFirst(DatabaseTask<?> task) {
		add(task, this.tasks::addFirst);
	}

	private void giveBack(Slot slot) {
		boolean kept = this.mutex.get(() -> {
			if (this.closed) {
				return false;
			}
			if (slot.connection != null) {
				this.idle.addFirst(slot);
			}
			else {
				this.unopened.add(slot);
			}
			if (slot.connection == null || !this.tasks.isEmpty()) {
				this.changed.signal();
			}
			return true;
		});
		if (!kept) {
			slot.close();
		}
	}

	@Override
	public void close() {
		List<DatabaseTask<?>> left = new ArrayList<>();
		List<Slot> unused = new ArrayList<>();
		this.mutex.run(() -> {
			this.closed = true;
			left.addAll(this.tasks);
			unused.addAll(this.idle);
			this.tasks.clear();
			this.idle.clear();
			this.changed.signalAll();
		});
		fail(left, new NotExecutedException("The locks are closed", null));
		unused.forEach(Slot::close);
	}

	/** Opens a connection. */
	interface Connector {

		LockConnection open() throws SQLException;

	}

	/**
	 * A slot and its next task. Without a task the connection is to be opened, or free
	 * for the caller.
	 */
	private record Turn(Slot slot, @Nullable DatabaseTask<?> task) {

	}

	/** One connection; used by one thread at a time. */
	private static final class Slot {

		private @Nullable LockConnection connection;

		private volatile long usedNanos;

		void limit(long nanos) {
			if (this.connection != null) {
				this.connection.limit(nanos);
			}
		}

		void unlimit() {
			if (this.connection != null) {
				this.connection.unlimit();
			}
		}

		void close() {
			LockConnection open = this.connection;
			this.connection = null;
			if (open != null) {
				try {
					open.close();
				}
				catch (SQLException | RuntimeException | Error ex) {
					logger.debug("A connection of the locks could not be closed", ex);
				}
			}
		}

	}

}
