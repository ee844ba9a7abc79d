package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.List;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * Ours with its default settings, tried once.
 */
final class OurTryingPeer implements Peer {

	private final RedisLockTemplate locks;

	OurTryingPeer(RedisAddress address) {
		this.locks = new RedisLockTemplate(address.settings(), RedisLockSettings.defaults(),
				List.of(new TimingListener()));
	}

	@Override
	public Runnable take(String lock) {
		LockHandle taken = this.locks.tryAcquire(LockRequest.of(lock).waitTime(Duration.ZERO));
		if (taken == null) {
			throw new IllegalStateException("busy");
		}
		return taken::close;
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
