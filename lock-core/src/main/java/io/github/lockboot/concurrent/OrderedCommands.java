package io.github.lockboot.concurrent;

import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Changes under a mutex, and the commands that they decide, which are carried out without
 * the mutex in the order in which they were decided, one at a time. The thread that makes
 * a change carries out its commands, unless another thread is carrying out earlier ones:
 * then that thread goes on with these. A command may make further changes, whose commands
 * follow. A command must not wait for another command. Thread-safe.
 *
 * @param <C> the type of the commands
 */
@Internal
public abstract class OrderedCommands<C> {

	private final ReentrantLock mutex = new ReentrantLock();

	private final MonotonicClock clock;

	/** The commands to carry out next. */
	private final Queue<C> next;

	/** Whether a thread carries out commands. */
	private boolean running;

	/**
	 * Create commands.
	 * @param next receives the commands that a change decides, and is guarded by the
	 * mutex
	 */
	protected OrderedCommands(MonotonicClock clock, Queue<C> next) {
		this.clock = clock;
		this.next = next;
	}

	/** Carry out a command, on any thread. */
	protected abstract void carryOut(C command);

	/** Make a change, which adds its commands to the queue. */
	protected final void decide(Runnable change) {
		C first;
		this.mutex.lock();
		try {
			change.run();
			first = this.running ? null : take();
		}
		finally {
			this.mutex.unlock();
		}
		if (first != null) {
			this.clock.proceed(() -> run(first));
		}
	}

	private void run(C first) {
		boolean failed = true;
		try {
			for (C command = first; command != null; command = takeNext()) {
				carryOut(command);
			}
			failed = false;
		}
		finally {
			C command = failed ? takeNext() : null;
			if (command != null) { // which must not keep the commands of other threads
				run(command);
			}
		}
	}

	private @Nullable C takeNext() {
		this.mutex.lock();
		try {
			return take();
		}
		finally {
			this.mutex.unlock();
		}
	}

	private @Nullable C take() {
		C taken = this.next.poll();
		this.running = taken != null;
		return taken;
	}

}
