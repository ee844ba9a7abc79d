package io.github.lockboot.sample.sale;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.sample.cluster.Fleet;
import io.github.lockboot.sample.feed.EventFeed;

/**
 * Sells one piece at a time: reads the stock, checks it, writes it back. A transaction
 * alone does not make this safe: two buyers may read the same stock.
 */
@Service
public class Shop {

	private final JdbcClient db;

	private final Fleet fleet;

	private final EventFeed feed;

	private final Duration thinkTime;

	Shop(JdbcClient db, Fleet fleet, EventFeed feed, @Value("${sample.think-time}") Duration thinkTime) {
		this.db = db;
		this.fleet = fleet;
		this.feed = feed;
		this.thinkTime = thinkTime;
	}

	/**
	 * Buy a piece without any guard.
	 * @return whether there seemed to be stock
	 */
	@Transactional
	public boolean buyUnlocked(String product) {
		return buy(product, "SELECT stock FROM product WHERE id = ?");
	}

	/**
	 * Buy a piece while no other instance sells the same product. The lock is acquired
	 * before the transaction begins and released after its end.
	 * @return whether there was stock
	 */
	@DistributedLock(name = "flash-sale", key = "#product", waitTime = "60s", leaseTime = "5s")
	@Transactional
	public boolean buyLocked(String product) {
		return buy(product, "SELECT stock FROM product WHERE id = ?");
	}

	/**
	 * Buy a piece while no other transaction can read the same row in this way. The
	 * database locks the row until the end of the transaction.
	 * @return whether there was stock
	 */
	@Transactional
	public boolean buyWithRowLock(String product) {
		return buy(product, "SELECT stock FROM product WHERE id = ? FOR UPDATE");
	}

	/**
	 * Buy a piece unless somebody else changes the row in between. Otherwise the
	 * transaction is rolled back and runs again, after a pause that grows and is random,
	 * so that the buyers do not collide again.
	 * @return whether there was stock
	 */
	@Retryable(includes = OptimisticLockingFailureException.class, maxRetries = 50, delay = 2, jitter = 2,
			multiplier = 2, maxDelay = 100)
	@Transactional
	public boolean buyWithVersion(String product) {
		Row row = this.db.sql("SELECT stock, version FROM product WHERE id = ?")
			.param(product)
			.query(Row.class)
			.single();
		if (row.stock == 0) {
			return false;
		}
		think();
		int changed = this.db.sql("UPDATE product SET stock = ?, version = version + 1 WHERE id = ? AND version = ?")
			.params(row.stock - 1, product, row.version)
			.update();
		if (changed == 0) {
			throw new OptimisticLockingFailureException("Somebody else has changed " + product);
		}
		record(product, row.stock - 1);
		return true;
	}

	private boolean buy(String product, String query) {
		int stock = this.db.sql(query).param(product).query(Integer.class).single();
		if (stock == 0) {
			return false;
		}
		think();
		this.db.sql("UPDATE product SET stock = ? WHERE id = ?").params(stock - 1, product).update();
		record(product, stock - 1);
		return true;
	}

	private void think() {
		LockSupport.parkNanos(this.thinkTime.toNanos());
	}

	private void record(String product, int stock) {
		this.db.sql("INSERT INTO purchase (product, stock, millis, instance) VALUES (?, ?, ?, ?)")
			.params(product, stock, System.currentTimeMillis(), this.fleet.self())
			.update();
		this.feed.publish("bought", Map.of("run", product, "left", stock));
	}

	private record Row(int stock, int version) {
	}

}
