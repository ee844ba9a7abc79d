package io.github.lockboot.cache.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;

/**
 * Replies to the calls of a store that are held back.
 */
final class HeldReplies {

	private final CompletableFuture<Void> release = new CompletableFuture<>();

	private final AtomicInteger held = new AtomicInteger();

	/** Hold back the replies of Redis to a method. */
	MethodInterceptor to(String method) {
		return (call) -> {
			Object reply = call.proceed();
			boolean held = call.getMethod().getName().equals(method);
			return (held && reply instanceof CompletableFuture<?> future) ? hold(future) : reply;
		};
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
