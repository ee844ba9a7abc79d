package io.github.lockboot.faults;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;

/**
 * A thread of a worker that works under the locks in turn, in all ways, until it is
 * stopped. Faults are part of its life; whatever else is thrown it reports.
 */
final class Clerk {

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long LONG_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final List<Way> WAYS = Arrays.stream(Way.values())
		.flatMap((way) -> Collections.nCopies(way.weight(), way).stream())
		.toList();

	private final LockOperations locks;

	private final HoldsOfThreads holds;

	private final Shift shift;

	private final Random random;

	private final Thread thread;

	private volatile boolean stopped;

	Clerk(String name, LockOperations locks, HoldsOfThreads holds, Shift shift, Random random) {
		this.locks = locks;
		this.holds = holds;
		this.shift = shift;
		this.random = random;
		this.thread = new Thread(this::work, "clerk " + name);
	}

	void start() {
		this.thread.start();
	}

	void stop() {
		this.stopped = true;
	}

	Thread thread() {
		return this.thread;
	}

	private void work() {
		try {
			while (!this.stopped) {
				workOnce();
			}
		}
		catch (RuntimeException | Error ex) {
			System.out.println("unexpected " + ex);
			ex.printStackTrace(System.out);
		}
	}

	private void workOnce() {
		Way way = WAYS.get(this.random.nextInt(WAYS.size()));
		String family = LockNames.CONTENDED.get(this.random.nextInt(LockNames.CONTENDED.size()));
		long pause = PAUSE_NANOS;
		try {
			way.work(new Turn(this.locks, family, this.holds, this.shift, this.random, System.nanoTime()));
		}
		catch (LockNotAcquiredException | LockLostException ex) {
			// may be
		}
		catch (LockUnavailableException ex) {
			pause = LONG_PAUSE_NANOS;
		}
		LockSupport.parkNanos(1 + (long) (this.random.nextDouble() * pause));
	}

}
