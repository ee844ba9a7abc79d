package io.github.lockboot.sample.sale;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.github.lockboot.annotation.DistributedLock;

/**
 * Sells one piece at a time: reads the stock, checks it, writes it back. A transaction
 * alone does not make this safe: two buyers may read the same stock.
 */
@Service
public class Shop {

	private final JdbcClient db;

	private final Duration thinkTime;

	Shop(JdbcClient db, @Value("${sample.think-time}") Duration thinkTime) {
		this.db = db;
		this.thinkTime = thinkTime;
	}

	/**
	 * Buy a piece while no other instance sells the same product. The lock is acquired
	 * before the transaction begins and released after its end.
	 * @param product the product
	 * @return whether there was stock
	 */
	@DistributedLock(name = "flash-sale", key = "#product", waitTime = "60s", leaseTime = "5s")
	@Transactional
	public boolean buyLocked(String product) {
		return buy(product);
	}

	/**
	 * Buy a piece without the lock.
	 * @param product the product
	 * @return whether there seemed to be stock
	 */
	@Transactional
	public boolean buyUnlocked(String product) {
		return buy(product);
	}

	private boolean buy(String product) {
		int stock = this.db.sql("SELECT stock FROM product WHERE id = ?").param(product).query(Integer.class).single();
		if (stock == 0) {
			return false;
		}
		LockSupport.parkNanos(this.thinkTime.toNanos());
		this.db.sql("UPDATE product SET stock = ? WHERE id = ?").params(stock - 1, product).update();
		this.db.sql("INSERT INTO purchase (product, stock, millis) VALUES (?, ?, ?)")
			.params(product, stock - 1, System.currentTimeMillis())
			.update();
		return true;
	}

}
