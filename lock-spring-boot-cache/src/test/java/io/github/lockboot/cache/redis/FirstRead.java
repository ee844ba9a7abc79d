package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.RedisCommandTimeoutException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheStore;

/**
 * A store whose first read has another reply than that of Redis.
 */
final class FirstRead {

	private final CompletableFuture<byte @Nullable []> reply;

	private final AtomicBoolean done = new AtomicBoolean();

	private FirstRead(CompletableFuture<byte @Nullable []> reply) {
		this.reply = reply;
	}

	/** It finds nothing, as if the entry were stored immediately afterwards. */
	static FirstRead missing() {
		return new FirstRead(CompletableFuture.completedFuture(null));
	}

	static FirstRead timedOut() {
		return new FirstRead(CompletableFuture.failedFuture(new RedisCommandTimeoutException("first read")));
	}

	CacheStore around(CacheStore store) {
		return InterceptedStore.around(store,
				(call) -> (call.getMethod().getName().equals("read") && this.done.compareAndSet(false, true))
						? this.reply : call.proceed());
	}

}
