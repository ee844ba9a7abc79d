package io.github.lockboot.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.jdbc.LockConnection.Work;

/**
 * Threads that work on the database, each with a connection of its own that it opens at
 * its start, and again after a failure. Thread-safe.
 */
final class LockWorkers implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LockWorkers.class);

	/** A transaction that the database has chosen as a victim is repeated so often. */
	private static final int MOST_TRIES = 5;

	private final Connector connector;

	private final BlockingQueue<Task<?>> tasks = new LinkedBlockingQueue<>();

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean closed;

	LockWorkers(String name, int count, Connector connector) {
		this.connector = connector;
		DaemonThreads factory = new DaemonThreads(name);
		for (int i = 0; i < count; i++) {
			this.threads.add(factory.newThread(this::work));
		}
		this.threads.forEach(Thread::start);
	}

	/**
	 * Do work on one of the connections. It is not done if its reply is complete before
	 * its turn.
	 */
	<T> void execute(CompletableFuture<T> reply, Work<T> work) {
		this.tasks.add(new Task<>(reply, work));
		if (this.closed) {
			refuseAll();
		}
	}

	private void work() {
		LockConnection connection = openEarly();
		try {
			while (!this.closed) {
				connection = this.tasks.take().run(connection, this.connector);
			}
		}
		catch (InterruptedException ex) {
			// closed
		}
		finally {
			close(connection);
		}
	}

	/** The first call must not wait for a connection. One that fails is opened again. */
	private @Nullable LockConnection openEarly() {
		try {
			return this.connector.open();
		}
		catch (SQLException | RuntimeException ex) {
			return null;
		}
	}

	private static void close(@Nullable LockConnection connection) {
		if (connection != null) {
			try {
				connection.close();
			}
			catch (SQLException ex) {
				logger.debug("A connection of the locks could not be closed", ex);
			}
		}
	}

	private void refuseAll() {
		List<Task<?>> left = new ArrayList<>();
		this.tasks.drainTo(left);
		left.forEach(
				(task) -> task.reply.completeExceptionally(new NotExecutedException("The locks are closed", null)));
	}

	@Override
	public void close() {
		this.closed = true;
		this.threads.forEach(Thread::interrupt);
		refuseAll();
	}

	/** Opens a connection. */
	interface Connector {

		LockConnection open() throws SQLException;

	}

	private record Task<T>(CompletableFuture<T> reply, Work<T> work) {

		/** Returns the connection for the next task, {@code null} if there is none. */
		@Nullable LockConnection run(@Nullable LockConnection present, Connector connector) {
			if (this.reply.isDone()) {
				return present;
			}
			LockConnection connection = present;
			try {
				connection = (present != null) ? present : connector.open();
			}
			catch (SQLException | RuntimeException ex) {
				this.reply.completeExceptionally(
						new NotExecutedException("The database of the locks can't be reached: " + ex.getMessage(), ex));
				return null;
			}
			for (int tries = 1;; tries++) {
				try {
					this.reply.complete(this.work.run(connection));
					return connection;
				}
				catch (SQLException ex) {
					if (tries < MOST_TRIES && SqlStates.isRetried(ex)) {
						continue;
					}
					this.reply.completeExceptionally(ex);
					if (SqlStates.isRefusal(ex) && !SqlStates.isReadOnly(ex)) {
						return connection;
					}
				}
				catch (RuntimeException | Error ex) {
					this.reply.completeExceptionally(ex);
				}
				LockWorkers.close(connection);
				return null;
			}
		}

	}

}
