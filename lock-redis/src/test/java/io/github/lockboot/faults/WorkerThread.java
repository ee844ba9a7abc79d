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
 * A thread of a worker that runs operations of all workloads, one after the other, until
 * it is stopped. It expects the failures that faults cause, and reports all others.
 */
final class WorkerThread {

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long LONG_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final List<Workload> WORKLOADS = Arrays.stream(Workload.values())
		.flatMap((workload) -> Collections.nCopies(workload.weight(), workload).stream())
		.toList();

	private final LockOperations locks;

	private final LastHandles holds;

	private final CriticalSection section;

	private final Random random;

	private final Thread thread;

	private volatile boolean stopped;

	WorkerThread(String name, LockOperations locks, LastHandles holds, CriticalSection section, Random random) {
		this.locks = locks;
		this.holds = holds;
		this.section = section;
		this.random = random;
		this.thread = new Thread(this::run, "worker " + name);
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

	private void run() {
		try {
			while (!this.stopped) {
				runOne();
			}
		}
		catch (RuntimeException | Error ex) {
			System.out.println("unexpected " + ex);
			ex.printStackTrace(System.out);
		}
	}

	private void runOne() {
		Workload workload = WORKLOADS.get(this.random.nextInt(WORKLOADS.size()));
		String family = LockNames.CONTENDED.get(this.random.nextInt(LockNames.CONTENDED.size()));
		long pause = PAUSE_NANOS;
		try {
			workload.run(new Operation(this.locks, family, this.holds, this.section, this.random, System.nanoTime()));
		}
		catch (LockNotAcquiredException | LockLostException ex) {
			// an expected result of a fault
		}
		catch (LockUnavailableException ex) {
			pause = LONG_PAUSE_NANOS;
		}
		LockSupport.parkNanos(1 + (long) (this.random.nextDouble() * pause));
	}

}
