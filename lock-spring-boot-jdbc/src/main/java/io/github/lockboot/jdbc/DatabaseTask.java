package io.github.lockboot.jdbc;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.fencing.SqlStates;
import io.github.lockboot.jdbc.LockConnection.Work;

/**
 * Work on the database, and its reply.
 *
 * @param brief whether the work takes a statement or two
 * @param isRepeated whether a connection was cut while it tried the work
 */
record DatabaseTask<T>(CompletableFuture<T> reply, Work<T> work, boolean brief, boolean isRepeated, long sinceNanos) {

	/**
	 * How often a transaction that the database has chosen as a deadlock victim is tried.
	 */
	private static final int MOST_TRIES = 5;

	DatabaseTask(CompletableFuture<T> reply, Work<T> work, boolean brief) {
		this(reply, work, brief, false, System.nanoTime());
	}

	DatabaseTask<T> repeated() {
		return new DatabaseTask<>(this.reply, this.work, this.brief, true, this.sinceNanos);
	}

	/**
	 * Execute the task, and return why there is no reply, or {@code null} if there is
	 * one.
	 */
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
