package io.github.lockboot.sample.checkout;

import java.util.Map;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import io.github.lockboot.sample.feed.EventFeed;

/**
 * The stock of the product of the checkout. The database has the table
 * {@code lock_fence}: the transaction of a holder that has lost the lock fails before it
 * reads or writes. A product that is sold out gets new stock.
 */
@Repository
class Stock {

	private static final int PIECES = 100;

	private final JdbcClient db;

	private final EventFeed feed;

	Stock(JdbcClient db, EventFeed feed) {
		this.db = db;
		this.feed = feed;
	}

	@Transactional
	public int read(String product) {
		Integer left = this.db.sql("SELECT stock FROM product WHERE id = ?")
			.param(product)
			.query(Integer.class)
			.optional()
			.orElse(0);
		if (left > 0) {
			return left;
		}
		this.db.sql("DELETE FROM purchase WHERE product = ?").param(product).update();
		this.db.sql("MERGE INTO product (id, stock) KEY (id) VALUES (?, ?)").params(product, PIECES).update();
		return PIECES;
	}

	@Transactional
	public void sell(String product, int left) {
		this.db.sql("UPDATE product SET stock = ? WHERE id = ?").params(left - 1, product).update();
		this.db.sql("INSERT INTO purchase (product, stock, millis, instance) VALUES (?, ?, ?, '')")
			.params(product, left - 1, System.currentTimeMillis())
			.update();
		int sold = this.db.sql("SELECT COUNT(*) FROM purchase WHERE product = ?")
			.param(product)
			.query(Integer.class)
			.single();
		this.feed.publish("sold", Map.of("pieces", PIECES, "left", left - 1, "sold", sold));
	}

}
