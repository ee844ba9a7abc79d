package io.github.lockboot.sample.sale;

import java.util.List;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Repository;

/**
 * The products on sale and their purchases. Every sale has a product of its own, so that
 * concurrent sales are independent. Calls are retried: the database is closed for a
 * moment when the instance that opened it first dies.
 */
@Repository
@Retryable(includes = DataAccessException.class, maxRetries = 5, delay = 500)
class Ledger {

	private final JdbcClient db;

	Ledger(JdbcClient db) {
		this.db = db;
	}

	void open(String product, int stock) {
		this.db.sql("INSERT INTO product (id, stock) VALUES (?, ?)").params(product, stock).update();
	}

	List<Purchase> purchases(String product, long startMillis) {
		return this.db.sql("SELECT millis, stock, instance FROM purchase WHERE product = ? ORDER BY millis, id")
			.param(product)
			.query((row, number) -> new Purchase(row.getLong("millis") - startMillis, row.getInt("stock"),
					row.getString("instance")))
			.list();
	}

	int left(String product) {
		return this.db.sql("SELECT stock FROM product WHERE id = ?").param(product).query(Integer.class).single();
	}

	void close(String product) {
		this.db.sql("DELETE FROM purchase WHERE product = ?").param(product).update();
		this.db.sql("DELETE FROM product WHERE id = ?").param(product).update();
	}

}
