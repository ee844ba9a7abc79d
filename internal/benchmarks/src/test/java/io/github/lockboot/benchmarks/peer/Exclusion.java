package io.github.lockboot.benchmarks.peer;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether a peer really locks: otherwise its benchmarks would be worthless.
 */
public final class Exclusion {

	private Exclusion() {
	}

	/**
	 * Check that another instance acquires a lock only after its release.
	 * @param request called while the lock is held; returns whether the other one has
	 * sent its request
	 */
	public static void check(Supplier<Peer> instances, String lock, Supplier<Callable<Boolean>> request)
			throws Exception {
		AtomicBoolean released = new AtomicBoolean();
		try (Peer holder = instances.get(); Peer other = instances.get()) {
			Runnable release = holder.acquire(lock);
			Callable<Boolean> isSent = request.get();
			CompletableFuture<Boolean> seen = CompletableFuture.supplyAsync(() -> {
				Runnable second = other.acquire(lock);
				boolean late = released.get();
				second.run();
				return late;
			});
			Awaitility.await("the other one has sent its request").dontCatchUncaughtExceptions().until(isSent);
			released.set(true);
			release.run();
			assertThat(seen.get(30, TimeUnit.SECONDS)).isTrue();
		}
	}

}
