package io.github.lockboot.sample.peers;

import java.util.concurrent.locks.Lock;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import org.redisson.api.RedissonClient;
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.redis.util.RedisLockRegistry;

import io.github.lockboot.sample.sale.Shop;

/**
 * Sells a piece under the lock of another library, each with its default settings.
 */
record PeerShop(Shop shop, @Lazy RedissonClient redisson, RedisLockRegistry registry, LockTemplate lock4j) {

	boolean buyWithRedisson(String product) {
		return buy(product, this.redisson.getLock("flash-sale:" + product));
	}

	boolean buyWithSpringIntegration(String product) {
		return buy(product, this.registry.obtain("flash-sale:" + product));
	}

	private boolean buy(String product, Lock lock) {
		lock.lock();
		try {
			return this.shop.buyUnlocked(product);
		}
		finally {
			lock.unlock();
		}
	}

	boolean buyWithLock4j(String product) {
		LockInfo lock = this.lock4j.lock("flash-sale:" + product, 30_000, 60_000);
		if (lock == null) {
			throw new IllegalStateException("Not acquired within 60 s");
		}
		try {
			return this.shop.buyUnlocked(product);
		}
		finally {
			this.lock4j.releaseLock(lock);
		}
	}

}
