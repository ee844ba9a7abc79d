package io.github.lockboot.concurrent;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Changes under a mutex, and their effects, which run without the mutex in the order of
 * the changes, one at a time. The thread that makes a change runs its effect, unless
 * another thread is running earlier effects: then that thread goes on with this one. An
 * effect may make further changes, whose effects follow it. An effect must not wait for
 * another effect. Thread-safe.
 */
@Internal
public final class OrderedChanges {

	private final ReentrantLock mutex = new ReentrantLock();

	private final MonotonicClock clock;

	/** The effects to run next. */
	private final Queue<Effect> next = new ArrayDeque<>(1);

	/** Whether a thread runs effects. */
	private boolean running;

	public OrderedChanges(MonotonicClock clock) {
		this.clock = clock;
	}

	/**
	 * Make a change.
	 * @param change returns the effect; {@code null} if the change is not possible
	 * @return whether the change was possible
	 */
	public boolean make(Supplier<@Nullable Effect> change) {
		Effect effect;
		this.mutex.lock();
		try {
			effect = change.get();
			if (effect == null || effect == Effect.NONE) {
				return effect != null;
			}
			if (this.running) {
				this.next.add(effect);
				return true;
			}
			this.running = true;
		}
		finally {
			this.mutex.unlock();
		}
		this.clock.proceed(() -> run(effect));
		return true;
	}

	private void run(Effect first) {
		boolean failed = true;
		try {
			for (Effect effect = first; effect != Effect.NONE; effect = take()) {
				effect.run();
			}
			failed = false;
		}
		finally {
			if (failed) { // which must not keep the effects of other threads
				run(take());
			}
		}
	}

	private Effect take() {
		this.mutex.lock();
		try {
			Effect taken = this.next.poll();
			this.running = taken != null;
			return (taken != null) ? taken : Effect.NONE;
		}
		finally {
			this.mutex.unlock();
		}
	}

}
