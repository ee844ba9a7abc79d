package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;

import io.github.lockboot.cache.protocol.CacheStore;

/**
 * A store whose replies to one method are held back.
 */
final class HeldReplyStore {

	private final CompletableFuture<Void> release = new CompletableFuture<>();

	private final AtomicInteger held = new AtomicInteger();

	/** Hold back the replies of Redis to a method. */
	CacheStore around(CacheStore store, String method) {
		return InterceptedStore.around(store, (call) -> {
			Object reply = call.proceed();
			boolean held = call.getMethod().getName().equals(method);
			return (held && reply instanceof CompletableFuture<?> future) ? hold(future) : reply;
		});
	}

	private CompletableFuture<?> hold(CompletableFuture<?> reply) {
		return reply.thenCompose((value) -> {
			this.held.incrementAndGet();
			return this.release.thenApply((released) -> value);
		});
	}

	void awaitHeld() {
		awaitHeld(1);
	}

	/**
	 * Wait for a number of replies: as many commands were sent before the first reply was
	 * delivered.
	 */
	void awaitHeld(int count) {
		Awaitility.await().until(() -> this.held.get() >= count);
	}

	void release() {
		this.release.complete(null);
	}

}
