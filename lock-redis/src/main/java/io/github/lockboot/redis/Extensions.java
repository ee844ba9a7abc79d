package io.github.lockboot.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * The renewals that only extend a lease: those that are due at the same time are sent
 * together. A batch that gets no reply is not sent again. Thread-safe.
 */
final class Extensions {

	/** This number of locks delays other clients of the server by some 150 us. */
	private static final int MOST_LOCKS = 32;

	private final MonotonicClock clock;

	private final Calls calls;

	private final BooleanSupplier together;

	private final Queue<Extension> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	/**
	 * Create extensions.
	 * @param together whether a call may be about several locks
	 */
	Extensions(MonotonicClock clock, Calls calls, BooleanSupplier together) {
		this.clock = clock;
		this.calls = calls;
		this.together = together;
	}

	/** Extend a lease, together with those that are due now. */
	CompletionStage<RenewReply> add(LockAttempt attempt, boolean asks) {
		Extension extension = new Extension(attempt, asks, new CompletableFuture<>());
		this.waiting.add(extension);
		if (this.scheduled.compareAndSet(false, true)) {
			// behind all timers that are due
			this.clock.schedule(this.clock.nanoTime(), this::send);
		}
		return extension.reply;
	}

	private void send() {
		this.scheduled.set(false);
		int most = this.together.getAsBoolean() ? MOST_LOCKS : 1;
		List<List<Extension>> batches = List.of(new ArrayList<>(), new ArrayList<>());
		for (Extension next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
			List<Extension> batch = batches.get(next.asks ? 1 : 0);
			batch.add(next);
			if (batch.size() == most) {
				send(List.copyOf(batch));
				batch.clear();
			}
		}
		batches.stream().filter((batch) -> !batch.isEmpty()).map(List::copyOf).forEach(this::send);
	}

	private void send(List<Extension> batch) {
		List<LockAttempt> attempts = batch.stream().map(Extension::attempt).toList();
		LockStore.call(() -> this.calls.extend(attempts, batch.get(0).asks)).whenComplete((reply, failure) -> {
			long[] states = new long[batch.size()];
			for (int i = 0; reply != null && i < reply.size(); i += 2) {
				states[((Long) reply.get(i)).intValue() - 1] = (Long) reply.get(i + 1);
			}
			for (int i = 0; i < states.length; i++) {
				batch.get(i).end(this.calls, states[i], failure);
			}
		});
	}

	/** The calls of a store. */
	interface Calls {

		/** Extend leases with one call, and return the reply of {@code extend.lua}. */
		CompletionStage<List<Object>> extend(List<LockAttempt> attempts, boolean asks);

		/**
		 * Return what a state of a lock in the reply means, perhaps after another call.
		 */
		CompletionStage<RenewReply> extended(LockAttempt attempt, long state);

	}

	private record Extension(LockAttempt attempt, boolean asks, CompletableFuture<RenewReply> reply) {

		void end(Calls calls, long state, @Nullable Throwable failure) {
			CompletionStage<RenewReply> extended = (failure != null)
					? CompletableFuture.failedStage(StageFailure.cause(failure))
					: LockStore.call(() -> calls.extended(this.attempt, state));
			extended.whenComplete((renewed, lost) -> StageFailure.pass(renewed, lost, this.reply));
		}

	}

}
