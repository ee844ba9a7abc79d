package io.github.lockboot.sample.stampede;

import java.util.List;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Repository;

/**
 * The products of stampedes and the queries that were run for them. Every stampede has a
 * product of its own, which is not cached. Calls are retried: the database is closed for
 * a moment when the instance that opened it first dies.
 */
@Repository
@Retryable(includes = DataAccessException.class, maxRetries = 5, delay = 500)
class QueryLog {

	private final JdbcClient db;

	QueryLog(JdbcClient db) {
		this.db = db;
	}

	void open(String product) {
		this.db.sql("INSERT INTO review VALUES (?, 'alice', 4), (?, 'bob', 5)").params(product, product).update();
	}

	List<QueryRun> queries(String product, long startMillis) {
		return this.db.sql("SELECT instance, begun, ended FROM query WHERE product = ? ORDER BY begun, id")
			.param(product)
			.query((row, number) -> new QueryRun(row.getString("instance"), row.getLong("begun") - startMillis,
					row.getLong("ended") - startMillis))
			.list();
	}

	void close(String product) {
		this.db.sql("DELETE FROM query WHERE product = ?").param(product).update();
		this.db.sql("DELETE FROM review WHERE product = ?").param(product).update();
	}

}
