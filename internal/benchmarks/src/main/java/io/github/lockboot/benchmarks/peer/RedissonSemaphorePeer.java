package io.github.lockboot.benchmarks.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;

/**
 * Redisson's semaphore whose permits expire.
 */
final class RedissonSemaphorePeer implements Peer {

	private static final int LEASE_SECONDS = 30;

	private final Map<String, RPermitExpirableSemaphore> semaphores = new ConcurrentHashMap<>();

	private final RedissonClient redisson;

	RedissonSemaphorePeer(RedisAddress address) {
		this.redisson = RedissonPeer.client(address);
	}

	@Override
	public Runnable acquire(String lock) {
		RPermitExpirableSemaphore semaphore = this.semaphores.computeIfAbsent(lock, this::semaphore);
		try {
			String permit = semaphore.acquire(LEASE_SECONDS, TimeUnit.SECONDS);
			return () -> semaphore.release(permit);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private RPermitExpirableSemaphore semaphore(String lock) {
		RPermitExpirableSemaphore semaphore = this.redisson.getPermitExpirableSemaphore(lock);
		semaphore.trySetPermits(PeerKind.PERMITS);
		return semaphore;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
