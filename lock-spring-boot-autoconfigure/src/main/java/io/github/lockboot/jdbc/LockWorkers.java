package io.github.lockboot.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.OutageLog;
import io.github.lockboot.engine.store.Backoff;
import io.github.lockboot.jdbc.LockConnection.Work;

/**
 * Threads that work on the database, with as many connections, each of which is opened at
 * the start, and again after a failure. A caller that waits for the reply anyway may use
 * an idle connection itself, because two threads that wake each other take longer than
 * many a statement.
 * <p>
 * A connection that was idle for a second is tested before its next task, which another
 * connection does if it was cut. While none can be opened, one thread at a time tries
 * after pauses, and tasks fail at once. Thread-safe.
 */
final class LockWorkers implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LockWorkers.class);

	/** A transaction that the database has chosen as a victim is repeated so often. */
	private static final int MOST_TRIES = 5;

	/** How long to leave a brief task to a caller. */
	private static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

	/** A caller who did a brief task with its own may leave another one for so long. */
	private static final long ACTIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/** A firewall forgets an idle connection, and a server closes it, later than this. */
	private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/** A server that lets nobody connect for so long does not reply. */
	private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(2);

	private final Connector connector;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Condition changed = this.mutex.newCondition();

	/** Not signalled by tasks that are left to callers: waking a thread takes long. */
	private final Condition lingering = this.mutex.newCondition();

	/** Guarded by the mutex. */
	private final Deque<Task<?>> tasks = new ArrayDeque<>();

	/** The connections that no thread uses, the last used one first; guarded likewise. */
	private final Deque<Slot> idle = new ArrayDeque<>();

	/** Those that are to be opened; guarded by the mutex. */
	private final Queue<Slot> unopened = new ArrayDeque<>();

	/** How many are open; guarded by the mutex, as all that follows. */
	private int open;

	/** How many threads open one now. */
	private int opening;

	/** Since when nothing but that has happened. */
	private long openingSinceNanos;

	/** Why the last one could not be opened; absent once one was. */
	private @Nullable Exception failure;

	private int failures;

	private long openAgainNanos;

	/** When a caller last did a brief task before its own. */
	private volatile long takenAlongNanos = System.nanoTime() - ACTIVE_NANOS;

	private boolean closed;

	/** When a connection was last found to be cut: then others may be. */
	private final AtomicLong lostNanos;

	/** Present while no reply comes. */
	private final AtomicReference<@Nullable OutageLog> outage;

	LockWorkers(String name, int count, Connector connector, AtomicReference<@Nullable OutageLog> outage,
			AtomicLong lostNanos) {
		this.connector = connector;
		this.lostNanos = lostNanos;
		this.outage = outage;
		DaemonThreads factory = new DaemonThreads(name);
		for (int i = 0; i < count; i++) {
			this.unopened.add(new Slot());
		}
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
		NotExecutedException refusal;
		this.mutex.lock();
		try {
			refusal = refusal();
			if (refusal == null) {
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
		fail(List.of(task), refusal);
	}

	/** Return why no task can be done now, if that is known. */
	private @Nullable NotExecutedException refusal() {
		if (this.closed) {
			return new NotExecutedException("The locks are closed", null);
		}
		if (this.open > 0) {
			return null;
		}
		Exception failure = this.failure;
		long nanos = (this.opening > 0) ? System.nanoTime() - this.openingSinceNanos : 0;
		if (failure == null && nanos >= SLOW_NANOS) {
			failure = new SQLTimeoutException(
					"no connection was opened for " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
		}
		return (failure == null) ? null : new NotExecutedException(
				"The database of the locks can't be reached: " + failure.getMessage(), failure);
	}

	private void fail(List<Task<?>> tasks, NotExecutedException refusal) {
		for (Task<?> task : tasks) {
			if (task.reply.completeExceptionally(refusal) && refusal.getCause() != null) {
				outage().failed(refusal);
			}
		}
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
		this.mutex.lock();
		try {
			slot = this.idle.peek();
			if (slot == null || !isShort()) {
				return false;
			}
			this.idle.remove();
			before = this.tasks.poll();
		}
		finally {
			this.mutex.unlock();
		}
		slot.limit(limitNanos);
		try {
			if (before != null) {
				run(slot, before);
			}
			if (!isAlive(slot)) {
				return false;
			}
			run(slot, new Task<>(reply, work, true));
			if (before != null) {
				this.takenAlongNanos = System.nanoTime();
			}
			return true;
		}
		finally {
			slot.unlimit();
			giveBack(slot);
		}
	}

	private void work() {
		try {
			for (Turn turn = next(); turn != null; turn = next()) {
				if (turn.task != null) {
					run(turn.slot, turn.task);
					giveBack(turn.slot);
				}
				else {
					open(turn.slot);
				}
			}
		}
		catch (InterruptedException ex) {
			logger.warn("A thread of the locks was interrupted, and ends", ex);
		}
	}

	/**
	 * Wait for a task and a connection, or for a connection to open; {@code null} when
	 * the workers are closed.
	 */
	private @Nullable Turn next() throws InterruptedException {
		this.mutex.lock();
		try {
			while (!this.closed) {
				long pauseNanos = (this.failure != null) ? this.openAgainNanos - System.nanoTime() : 0;
				boolean mayOpen = !this.unopened.isEmpty() && (this.failure == null || this.opening == 0);
				if (isLeftToCallers()) {
					this.lingering.awaitNanos(LINGER_NANOS);
				}
				else if (!this.tasks.isEmpty() && !this.idle.isEmpty()) {
					return new Turn(this.idle.remove(), this.tasks.remove());
				}
				else if (mayOpen && pauseNanos <= 0) {
					if (this.opening++ == 0 && this.failures == 0) {
						this.openingSinceNanos = System.nanoTime();
					}
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
		NotExecutedException refusal;
		List<Task<?>> refused = new ArrayList<>();
		this.mutex.lock();
		try {
			this.opening--;
			if (failure == null) {
				this.open++;
				this.failure = null;
				this.failures = 0;
				this.changed.signalAll();
			}
			else if (this.failures++ > 0) { // the first one may have been cut meanwhile
				this.failure = failure;
				this.openAgainNanos = System.nanoTime()
						+ Backoff.pauseNanos(this.failures, LONGEST_PAUSE_NANOS, ThreadLocalRandom.current());
			}
			refusal = refusal();
			if (refusal != null) {
				refused.addAll(this.tasks);
				this.tasks.clear();
			}
		}
		finally {
			this.mutex.unlock();
		}
		if (failure != null) {
			outage().check();
			logger.debug("A connection of the locks could not be opened; it is tried again", failure);
		}
		else {
			endOutage();
		}
		if (refusal != null) {
			fail(refused, refusal);
		}
		giveBack(slot);
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
		List<Slot> others;
		this.mutex.lock();
		try {
			// whoever has cut one that was idle has cut all
			others = this.idle.stream().filter((other) -> !isFresh(other)).toList();
			this.idle.removeAll(others);
		}
		finally {
			this.mutex.unlock();
		}
		others.forEach((other) -> {
			lost(other);
			giveBack(other);
		});
		return false;
	}

	private boolean isFresh(Slot slot) {
		long usedNanos = slot.usedNanos;
		return System.nanoTime() - usedNanos < FRESH_NANOS && usedNanos - this.lostNanos.get() > 0;
	}

	/** Close a connection, which is opened again once its slot is given back. */
	private void lost(Slot slot) {
		slot.close();
		this.mutex.lock();
		try {
			this.open--;
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
		if (task.reply.isDone()) {
			return;
		}
		LockConnection connection = isAlive(slot) ? slot.connection : null;
		if (connection == null) {
			addFirst(task);
			return;
		}
		Throwable failure = task.run(connection);
		slot.usedNanos = System.nanoTime();
		SQLException reply = (failure instanceof SQLException ex) ? ex : null;
		if (failure == null || (reply != null && SqlStates.isRefusal(reply) && !SqlStates.isReadOnly(reply))) {
			endOutage();
		}
		else {
			// before its caller repeats the request
			this.lostNanos.set(System.nanoTime());
			lost(slot);
			if (reply != null && !task.isRepeated && SqlStates.isOfConnection(reply)) {
				addFirst(task.repeated());
				return;
			}
			outage().failed(failure);
		}
		if (failure != null) {
			task.reply.completeExceptionally(failure);
		}
	}

	/** Another connection does a task that was certainly not executed. */
	private void addFirst(Task<?> task) {
		NotExecutedException refusal;
		this.mutex.lock();
		try {
			refusal = refusal();
			if (refusal == null) {
				this.tasks.addFirst(task);
				this.changed.signal();
				return;
			}
		}
		finally {
			this.mutex.unlock();
		}
		fail(List.of(task), refusal);
	}

	private OutageLog outage() {
		OutageLog present = this.outage.get();
		if (present != null) {
			return present;
		}
		OutageLog begun = new OutageLog("The database", "locks", System::nanoTime);
		present = this.outage.compareAndExchange(null, begun);
		return (present != null) ? present : begun;
	}

	private void endOutage() {
		OutageLog present = this.outage.get();
		if (present != null && this.outage.compareAndSet(present, null)) {
			present.ended();
		}
	}

	private void giveBack(Slot slot) {
		this.mutex.lock();
		try {
			if (!this.closed) {
				if (slot.connection != null) {
					this.idle.addFirst(slot);
				}
				else {
					this.unopened.add(slot);
				}
				if (slot.connection == null || !this.tasks.isEmpty()) {
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
		fail(left, new NotExecutedException("The locks are closed", null));
		unused.forEach(Slot::close);
	}

	/** Opens a connection. */
	interface Connector {

		LockConnection open() throws SQLException;

	}

	/** Without a task the connection is to be opened. */
	private record Turn(Slot slot, @Nullable Task<?> task) {

	}

	private record Task<T>(CompletableFuture<T> reply, Work<T> work, boolean brief, boolean isRepeated,
			long sinceNanos) {

		Task(CompletableFuture<T> reply, Work<T> work, boolean brief) {
			this(reply, work, brief, false, System.nanoTime());
		}

		Task<T> repeated() {
			return new Task<>(this.reply, this.work, this.brief, true, this.sinceNanos);
		}

		/** Returns why there is no reply, {@code null} if there is. */
		@Nullable Throwable run(LockConnection connection) {
			for (int tries = 1;; tries++) {
				try {
					this.reply.complete(this.work.run(connection));
					return null;
				}
				catch (SQLException ex) {
					if (tries == MOST_TRIES || !SqlStates.isRetried(ex)) {
						return ex;
					}
				}
				catch (RuntimeException | Error ex) {
					return ex;
				}
			}
		}

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
				catch (SQLException | RuntimeException ex) {
					logger.debug("A connection of the locks could not be closed", ex);
				}
			}
		}

	}

}
