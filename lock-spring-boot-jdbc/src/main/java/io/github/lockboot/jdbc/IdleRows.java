package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * Purges the rows of locks that nobody has acquired for a day, once an hour and in small
 * batches. The next fencing token of such a lock is the time of the database, which is
 * higher than the last token.
 */
record IdleRows(LockWorkers workers, MonotonicClock clock) {

	private static final Log logger = LogFactory.getLog(IdleRows.class);

	private static final Duration INTERVAL = Duration.ofHours(1);

	private static final long AGE_MICROS = TimeUnit.DAYS.toMicros(1);

	/** Purge rows from now on. */
	void start() {
		this.clock.schedule(INTERVAL, () -> purge().whenComplete((count, failure) -> {
			if (failure != null) {
				logger.warn("Idle rows could not be deleted from the table of locks: " + failure.getMessage());
			}
			start();
		}));
	}

	/** Purge rows, and return how many rows were deleted. */
	CompletableFuture<Integer> purge() {
		CompletableFuture<Integer> batch = new CompletableFuture<>();
		this.workers.execute(batch, IdleRows::purge);
		return batch.thenCompose((count) -> (count < LockTable.MOST_AT_ONCE) ? CompletableFuture.completedFuture(count)
				: purge().thenApply((more) -> count + more));
	}

	private static int purge(LockConnection connection) throws SQLException {
		LockTable table = connection.table();
		connection.update(table.holders.deleteIdle, AGE_MICROS);
		int count = 0;
		for (Object name : connection.query(IdleRows::names, table.selectIdle, AGE_MICROS, AGE_MICROS)) {
			count += connection.update(table.deleteIdle, name, AGE_MICROS, AGE_MICROS);
		}
		return count;
	}

	private static List<Object> names(ResultSet rows) throws SQLException {
		List<Object> names = new ArrayList<>();
		while (rows.next()) {
			names.add(rows.getObject(1));
		}
		return names;
	}

}
