package io.github.lockboot.cache.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
		return (CacheStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { CacheStore.class },
				(proxy, called, arguments) -> {
					try {
						Object reply = called.invoke(store, arguments);
						return called.getName().equals(method) ? hold((CompletableFuture<?>) reply) : reply;
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
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
