package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockRequest;

/**
 * Threads that request, cancel and release a lock at the same time: {@link LockQueue} and
 * its {@link LockMachine}.
 */
@NullMarked
@Param(name = "thread", gen = ThreadIdGen.class)
public class QueueCalls {

	private static final LockRequest REQUEST = LockRequest.of("a");

	private final OneLockStore store = new OneLockStore();

	private final LockEngine engine = new LockEngine(this.store, new StandingClock(), List.of());

	private final @Nullable Waiter[] waiters = new @Nullable Waiter[4];

	private final @Nullable LockQueue[] queues = new @Nullable LockQueue[4];

	/** Written by holders only. */
	private long lastToken;

	@Operation(params = "thread")
	public boolean tryLock(int thread) {
		if (this.waiters[thread] != null) {
			return false;
		}
		Waiter waiter = submit(thread, true);
		if (waiter.join() instanceof Hold) {
			return true;
		}
		this.waiters[thread] = null;
		return false;
	}

	@Operation(params = "thread")
	public void request(int thread) {
		if (this.waiters[thread] == null) {
			submit(thread, false);
		}
	}

	private Waiter submit(int thread, boolean triesOnce) {
		Waiter.Call call = new Waiter.Call(REQUEST, 0, Long.MAX_VALUE, Thread.currentThread(), false, List.of());
		Waiter waiter = new Waiter(call, REQUEST, 30_000, false, null, triesOnce);
		this.waiters[thread] = waiter;
		this.queues[thread] = this.engine.submit(waiter);
		return waiter;
	}

	@Operation(params = "thread")
	public boolean unlock(int thread) {
		Waiter waiter = this.waiters[thread];
		if (waiter == null || !waiter.isDone()) {
			return false;
		}
		Hold hold = (Hold) waiter.join();
		if (hold.storeToken() <= this.lastToken) {
			throw new IllegalStateException("Token " + hold.storeToken() + " comes after " + this.lastToken);
		}
		this.lastToken = hold.storeToken();
		this.waiters[thread] = null;
		hold.release(true);
		return true;
	}

	@Operation(params = "thread")
	public void cancel(int thread) {
		Waiter waiter = this.waiters[thread];
		LockQueue queue = this.queues[thread];
		if (waiter != null && queue != null) {
			this.waiters[thread] = null;
			queue.leave(waiter);
		}
	}

	@Validate
	public void nothingIsLeft() {
		for (int thread = 0; thread < this.waiters.length; thread++) {
			cancel(thread);
		}
		if (!this.store.isFree() || !this.engine.awaitNoneHeld(Duration.ZERO)) {
			throw new IllegalStateException("Nobody wants the lock, which is still held");
		}
	}

	/** The same calls, one after the other. */
	public static class Specification {

		private final Deque<Integer> threads = new ArrayDeque<>();

		public boolean tryLock(int thread) {
			return this.threads.isEmpty() && this.threads.add(thread);
		}

		public void request(int thread) {
			if (!this.threads.contains(thread)) {
				this.threads.add(thread);
			}
		}

		public boolean unlock(int thread) {
			return !this.threads.isEmpty() && this.threads.element() == thread && this.threads.remove() == thread;
		}

		public void cancel(int thread) {
			this.threads.remove(thread);
		}

	}

}
