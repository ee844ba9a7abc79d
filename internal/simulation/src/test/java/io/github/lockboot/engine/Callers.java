package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.local.LocalLockTemplate;
import io.github.lockboot.simulation.StartedThreads;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that want one lock, in memory.
 */
@NullMarked
final class Callers extends StartedThreads {

	static final LockRequest REQUEST = LockRequest.of("a").waitTime(Duration.ofSeconds(30));

	final LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of());

	private final AtomicInteger inside = new AtomicInteger();

	/** Written by holders only. */
	private long lastToken;

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

	void awaitEndsAndFreeLock() throws InterruptedException {
		awaitEnds();
		try (LockHandle handle = this.locks.acquire(LockRequest.of("a").waitTime(Duration.ZERO))) {
			enter(handle);
		}
		this.locks.close();
	}

}
