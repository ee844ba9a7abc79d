package io.github.lockboot.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.PatternMatchUtils;

import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.jdbc.LockConnection.Work;

/**
 * Finds the names of held locks among all rows, because there is no index. A few rows are
 * read at once, so that a caller who acquires a lock meanwhile does not wait for the
 * whole list.
 */
final class HeldRows {

	/** How long a list may take. */
	static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

	static final int MOST_ROWS = 1_000_000;

	private final String pattern;

	private final int most;

	private final Function<Work<Part>, CompletionStage<Part>> database;

	private final CompletableFuture<List<String>> reply;

	private final List<String> names = new ArrayList<>();

	/**
	 * Create a list.
	 * @param reply completed with the names; the search ends if it is completed before
	 */
	HeldRows(String pattern, int most, Function<Work<Part>, CompletionStage<Part>> database,
			CompletableFuture<List<String>> reply) {
		this.pattern = pattern;
		this.most = most;
		this.database = database;
		this.reply = reply;
	}

	/** Read the rows that follow the one of a lock. */
	void readAfter(String lock) {
		read((connection) -> part(connection, connection.table().key(lock)), 0);
	}

	private void read(Work<Part> work, int rows) {
		this.database.apply(work).whenComplete((part, failure) -> {
			if (failure != null) {
				this.reply.completeExceptionally(StageFailure.cause(failure));
			}
			else {
				add(part, rows + LockTable.MOST_AT_ONCE);
			}
		});
	}

	private void add(Part part, int rows) {
		Object last = part.last();
		part.held().stream().limit(this.most - this.names.size()).forEach(this.names::add);
		if (last == null || this.names.size() == this.most) {
			this.reply.complete(this.names);
		}
		else if (rows == MOST_ROWS) {
			this.reply.completeExceptionally(new UnsupportedOperationException("The table of the locks has more than "
					+ MOST_ROWS + " rows, which is the most that a list of locks may read. Look at one lock by its"
					+ " name, without '*', or select from the table, which shows the holders"));
		}
		else if (!this.reply.isDone()) {
			read((connection) -> part(connection, last), rows);
		}
	}

	private Part part(LockConnection connection, Object after) throws SQLException {
		LockTable table = connection.table();
		return connection.query((rows) -> {
			List<String> held = new ArrayList<>();
			Object last = null;
			int count = 0;
			while (rows.next()) {
				count++;
				last = rows.getObject(1);
				String name = table.lockName(last);
				if (rows.getInt(2) == 1 && !name.isEmpty() && PatternMatchUtils.simpleMatch(this.pattern, name)) {
					held.add(name);
				}
			}
			return new Part(held, (count == LockTable.MOST_AT_ONCE) ? last : null);
		}, table.selectNext, after);
	}

	/**
	 * Rows that follow each other.
	 *
	 * @param held names of the locks that are held
	 * @param last name in the last row, {@code null} if no row follows
	 */
	record Part(List<String> held, @Nullable Object last) {

	}

}
