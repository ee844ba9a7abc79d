package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * Ours with its default settings but for the lease, tried once.
 */
final class OurTryingPeer implements Peer {

	private final RedisLockTemplate locks;

	private final @Nullable Duration lease;

	/**
	 * Connect.
	 * @param lease the lease, or {@code null} for that by default
	 */
	OurTryingPeer(RedisAddress address, @Nullable Duration lease) {
		this.lease = lease;
		this.locks = new RedisLockTemplate(address.settings(), RedisLockSettings.defaults(),
				List.of(new TimingListener()));
	}

	@Override
	public Runnable take(String lock) {
		LockRequest request = LockRequest.of(lock).waitTime(Duration.ZERO);
		LockHandle taken = this.locks.tryAcquire((this.lease != null) ? request.leaseTime(this.lease) : request);
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
