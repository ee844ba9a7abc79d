package io.github.lockboot.benchmarks.work;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * One lock, acquired and released on demand. The times are comparable between JVMs of one
 * machine, because on Linux and macOS they are system times.
 */
final class OneHold {

	private static final String LOCK = "one";

	/** Time for the threads to begin to wait. */
	private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);

	/**
	 * The delay of the answer, which must not compete for processors with the thread that
	 * is being woken.
	 */
	private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

	private final Peer peer;

	private @Nullable Runnable held;

	OneHold(Peer peer) {
		this.peer = peer;
	}

	Figures acquire(int... numbers) {
		long nanos = System.nanoTime();
		this.held = this.peer.acquire(LOCK);
		return Figures.of("nanos", System.nanoTime()).and("asked", nanos);
	}

	Figures release(int... numbers) {
		long nanos = System.nanoTime();
		Objects.requireNonNull(this.held).run();
		this.held = null;
		LockSupport.parkNanos(ANSWER_NANOS);
		return Figures.of("nanos", nanos);
	}

	Figures letWait(int... numbers) {
		for (int i = 0; i < numbers[0]; i++) {
			Thread waiter = new Thread(() -> this.peer.acquire(LOCK).run());
			waiter.setDaemon(true);
			waiter.start();
		}
		LockSupport.parkNanos(SETTLE_NANOS);
		return Figures.none();
	}

}
