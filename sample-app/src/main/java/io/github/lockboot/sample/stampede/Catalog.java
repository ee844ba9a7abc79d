package io.github.lockboot.sample.stampede;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.sample.cluster.Fleet;
import io.github.lockboot.sample.feed.EventFeed;

/**
 * Creates the page of a product by a slow query, which uses a connection to the database
 * as long as it runs.
 */
@Service
class Catalog {

	private final JdbcClient db;

	private final Fleet fleet;

	private final EventFeed feed;

	private final Duration queryTime;

	Catalog(JdbcClient db, Fleet fleet, EventFeed feed, @Value("${sample.query-time}") Duration queryTime) {
		this.db = db;
		this.fleet = fleet;
		this.feed = feed;
		this.queryTime = queryTime;
	}

	/**
	 * Return the page of a product from the cache. If the page is missing, one caller
	 * among all instances creates it, and the other callers wait for that one. The cache
	 * is read before the transaction begins: a hit uses no connection.
	 * @return the page, empty if nobody has reviewed the product
	 */
	@RedisCache(name = "product-page", key = "#product", ttl = "1m", nullTtl = "10s")
	@Transactional
	public Optional<ProductPage> cachedPage(String product) {
		return query(product);
	}

	/**
	 * Return the page of a product without the cache.
	 * @return the page, empty if nobody has reviewed the product
	 */
	@Transactional
	public Optional<ProductPage> page(String product) {
		return query(product);
	}

	private Optional<ProductPage> query(String product) {
		Instant begun = Instant.now();
		this.feed.publish("query", Map.of("run", product, "change", 1));
		ProductPage page = this.db.sql("SELECT COUNT(*) AS reviews, AVG(stars) AS stars FROM review WHERE product = ?")
			.param(product)
			.query((row, number) -> new ProductPage(product, row.getInt("reviews"), row.getDouble("stars"), begun))
			.single();
		LockSupport.parkNanos(this.queryTime.toNanos());
		this.db.sql("INSERT INTO query (product, instance, begun, ended) VALUES (?, ?, ?, ?)")
			.params(product, this.fleet.self(), begun.toEpochMilli(), System.currentTimeMillis())
			.update();
		this.feed.publish("query", Map.of("run", product, "change", -1));
		return Optional.of(page).filter((made) -> made.reviews() > 0);
	}

}
