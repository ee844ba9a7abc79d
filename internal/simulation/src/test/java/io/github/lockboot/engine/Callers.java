package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.local.LocalLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that want one lock, in memory.
 */
@NullMarked
final class Callers {

	static final LockRequest REQUEST = LockRequest.of("a").waitTime(Duration.ofSeconds(30));

	final LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of());

	private final AtomicInteger inside = new AtomicInteger();

	/** Written by holders only. */
	private long lastToken;

	private final List<Thread> threads = new ArrayList<>();

	/** Fail if another thread is inside. */
	void enter() {
		assertThat(this.inside.incrementAndGet()).isOne();
		Thread.yield();
		assertThat(this.inside.decrementAndGet()).isZero();
	}

	/** Fail if another thread is inside, or a later one was. */
	void enter(LockHandle handle) {
		assertThat(handle.fencingToken()).isGreaterThan(this.lastToken);
		this.lastToken = handle.fencingToken();
		enter();
	}

	Thread start(Callable<?> call) {
		Thread thread = new Thread(() -> {
			try {
				call.call();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.threads.add(thread);
		thread.start();
		return thread;
	}

	/** Wait until all have ended. Fray fails if they never do. */
	void awaitEnds() throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

	void awaitEndsAndFreeLock() throws InterruptedException {
		awaitEnds();
		try (LockHandle handle = this.locks.acquire(LockRequest.of("a").waitTime(Duration.ZERO))) {
			enter(handle);
		}
		this.locks.close();
	}

}
