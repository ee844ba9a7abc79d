package io.github.lockboot.sample.checkout;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.stereotype.Service;

import io.github.lockboot.annotation.DistributedLock;

/**
 * Sells a piece slowly enough to watch: reads the stock, packs the piece, writes the
 * stock. No transaction is open while the piece is packed.
 */
@Service
public class Checkout {

	private final Stock stock;

	Checkout(Stock stock) {
		this.stock = stock;
	}

	/** Sell a piece while no other instance sells the same product. */
	@DistributedLock(name = "checkout", key = "#product", leaseTime = "3s", fair = true)
	public void sell(String product) {
		int left = this.stock.read(product);
		pack(); // takes longer than the lease at times
		this.stock.sell(product, left); // refused if the lock is lost
	}

	private void pack() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		long millis = (random.nextInt(5) == 0) ? random.nextLong(2500, 4500) : random.nextLong(400, 900);
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

}
