package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.concurrent.StageFailure;

/**
 * One acquisition, without blocking a thread, of a lock or of several locks, all of them
 * or none. An acquisition of several locks first tries all of them at the same time,
 * without waiting. If one of the locks is busy, the acquisition keeps the locks before
 * the busy one, releases those behind it, and acquires the remaining locks one after the
 * other, in the order of their names, waiting in the queue of each lock. All callers keep
 * that order, so that no deadlock arises. The steps run one after the other on an
 * executor; only {@link #cancel(LockException)} may be called at any time.
 */
final class Acquisition {

	private final LockAcquirer acquirer;

	private final LockEngine engine;

	/** One call for each lock, in order; listeners are notified of each. */
	private final List<Waiter.Call> parts;

	private final boolean nullIfBusy;

	private final Executor executor;

	private final CompletableFuture<LockHandle> result = new CompletableFuture<>();

	/** The first locks, in order, as far as they are held. */
	private final List<Hold> holds = new ArrayList<>();

	/** Present once the caller has cancelled. */
	private volatile @Nullable LockException cancelled;

	/** Whether a step has failed, after which there is no next one. */
	private volatile boolean failed;

	/** Whether the acquisition has ended itself, and not by its caller. */
	private volatile boolean ended;

	/** Ends the current wait. */
	private volatile Runnable cancelWait = () -> {
	};

	private Acquisition(LockAcquirer acquirer, LockRequest request, boolean nullIfBusy, Executor executor) {
		this.acquirer = acquirer;
		this.engine = acquirer.engine();
		this.parts = acquirer.beginAll(request);
		this.nullIfBusy = nullIfBusy;
		this.executor = executor;
	}

	/**
	 * Acquire several locks, or throw as for a single lock; no lock is held after an
	 * exception. All steps run on the calling thread.
	 * @param interruptible whether an interrupt ends the wait; otherwise the interrupt
	 * flag is set afterwards
	 */
	static MultiLockHandle acquireAll(LockAcquirer acquirer, LockRequest request, boolean interruptible) {
		BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();
		Acquisition acquisition = new Acquisition(acquirer, request, false, steps::add);
		if (interruptible && Thread.currentThread().isInterrupted()) {
			acquisition.refuse(new LockInterruptedException(request.name()));
		}
		else {
			acquisition.run(acquisition::start);
		}
		acquisition.run(steps, () -> {
			if (interruptible) {
				acquisition.cancel(new LockInterruptedException(request.name()));
			}
		});
		try {
			return (MultiLockHandle) acquisition.result.join();
		}
		catch (CompletionException ex) {
			Throwable cause = StageFailure.cause(ex);
			if (cause instanceof Error error) {
				throw error;
			}
			throw (cause instanceof RuntimeException reason) ? reason : ex;
		}
	}

	/** Run the steps until the end. Interrupts are kept for the caller. */
	private void run(BlockingQueue<Runnable> steps, Runnable onInterrupt) {
		boolean interrupted = false;
		while (!this.result.isDone()) {
			try {
				run(steps.take());
			}
			catch (InterruptedException ex) {
				interrupted = true;
				onInterrupt.run();
			}
			catch (RuntimeException | Error ex) {
				fail(ex);
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Acquire the locks of a request without blocking a thread. A caller that completes
	 * the result, such as by a cancellation or a time limit, ends the wait.
	 * @param nullIfBusy whether {@code null} is returned for locks that stayed busy
	 */
	static CompletableFuture<LockHandle> acquireAsync(LockAcquirer acquirer, LockRequest request, boolean nullIfBusy) {
		Executor executor = acquirer.engine().notifier()::deliver;
		Acquisition acquisition = new Acquisition(acquirer, request, nullIfBusy, executor);
		acquisition.result.whenComplete((handle, failure) -> {
			if (!acquisition.ended) {
				executor.execute(() -> acquisition
					.cancel(acquirer.reason(acquisition.parts.get(0), LockAcquirer.UNTIMELY, List.of())));
			}
			else if (handle instanceof MultiLockHandle received) {
				received.releaseIfUnreachable();
			}
		});
		acquisition.run(acquisition::start);
		return acquisition.result;
	}

	/** Run a step. Whatever it throws, nothing stays held or requested. */
	private void run(Runnable step) {
		try {
			step.run();
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	private void fail(Throwable failure) {
		this.failed = true;
		this.ended = true;
		LockException reason = LockAcquirer.unavailable(this.parts.get(0).request().name(), "acquired", failure);
		cancel(reason);
		discardAll();
		this.parts.forEach((part) -> this.acquirer.refuse(part, reason));
		this.result.completeExceptionally(failure);
	}

	private void start() {
		if (this.parts.size() == 1) {
			acquireNext();
		}
		else {
			tryAll();
		}
	}

	private void cancel(LockException reason) {
		this.cancelled = reason;
		this.cancelWait.run();
	}

	private void waitFor(CompletableFuture<?> end, Runnable cancelWait, Runnable next) {
		this.cancelWait = cancelWait;
		if (this.cancelled != null) {
			cancelWait.run();
		}
		end.whenCompleteAsync((done, failure) -> {
			if (!this.failed) {
				run(next);
			}
		}, this.executor);
	}

	/** Try all locks at once, with requests that reach the store in one packet. */
	private void tryAll() {
		Map<Waiter, LockQueue> waiters = new LinkedHashMap<>();
		this.cancelWait = () -> List.copyOf(waiters.entrySet()).forEach((each) -> each.getValue().leave(each.getKey()));
		for (Waiter.Call part : this.parts) {
			Waiter waiter = this.acquirer.waiter(part, true);
			waiters.put(waiter, this.engine.submit(waiter));
			if (waiter.isDone() && !(waiter.join() instanceof Hold)) {
				break; // busy already: the locks behind it are not needed
			}
		}
		CompletableFuture<?> end = CompletableFuture.allOf(waiters.keySet().toArray(CompletableFuture[]::new));
		waitFor(end, () -> waiters.forEach((waiter, queue) -> queue.leave(waiter)), () -> tried(waiters.keySet()));
	}

	private void tried(Set<Waiter> waiters) {
		Waiter busiest = null;
		List<Hold> behind = new ArrayList<>();
		for (Waiter waiter : waiters) {
			if (!(waiter.join() instanceof Hold hold)) {
				busiest = (busiest == null || remainingMillis(waiter) > remainingMillis(busiest)) ? waiter : busiest;
			}
			else if (busiest == null) {
				this.holds.add(hold);
			}
			else {
				behind.add(hold);
			}
		}
		if (busiest != null && leftNanos() <= 0) {
			this.holds.addAll(behind);
			releaseAndRefuse(busiest.call(), busiest.join());
		}
		else {
			behind.forEach(Hold::discard);
			acquireNext();
		}
	}

	private static long remainingMillis(Waiter refused) {
		return (refused.join() instanceof Outcome.Busy busy && busy.remainingMillis() >= 0) ? busy.remainingMillis()
				: Long.MAX_VALUE;
	}

	private void acquireNext() {
		if (this.cancelled != null) {
			releaseAndRefuse(this.parts.get(0), LockAcquirer.UNTIMELY);
			return;
		}
		if (this.holds.size() == this.parts.size()) {
			renewAll();
			return;
		}
		Waiter.Call call = this.parts.get(this.holds.size());
		Waiter waiter = this.acquirer.waiter(call, call.waitNanos() == 0);
		LockQueue queue = this.engine.submit(waiter);
		waitFor(waiter, () -> queue.leave(waiter), () -> acquired(call, waiter.join()));
	}

	private void acquired(Waiter.Call call, Outcome outcome) {
		boolean stale = LockAcquirer.isStale(outcome);
		if (stale && leftNanos() > 0) {
			acquireNext();
		}
		else if (!stale && outcome instanceof Hold hold) {
			this.holds.add(hold);
			acquireNext();
		}
		else {
			releaseAndRefuse(call, stale ? LockAcquirer.UNTIMELY : outcome);
		}
	}

	/**
	 * Renew the leases, also fixed ones, that have run for more than half of their time
	 * while this acquisition waited for the other locks.
	 */
	private void renewAll() {
		List<Hold> old = this.holds.stream().filter((hold) -> !hold.isFresh()).toList();
		if (old.isEmpty() || this.parts.size() == 1) {
			complete();
			return;
		}
		CompletableFuture<Void> end = CompletableFuture
			.allOf(old.stream().map(Hold::renew).toArray(CompletableFuture[]::new));
		// the store's time limit ends it
		waitFor(end, () -> end.complete(null), () -> renewed(old));
	}

	private void renewed(List<Hold> old) {
		Hold late = old.stream().filter((hold) -> !hold.isFresh()).findFirst().orElse(null);
		if (late == null && this.cancelled == null) {
			complete();
		}
		else {
			Waiter.Call call = this.parts.get(Math.max(0, this.holds.indexOf(late)));
			startAgain(call, new Outcome.Failed(
					new IllegalStateException("Its lease could not be renewed after the wait for the other locks")));
		}
	}

	private void startAgain(Waiter.Call call, Outcome unlessInTime) {
		if (this.cancelled == null && leftNanos() > 0) {
			discardAll();
			start();
		}
		else {
			releaseAndRefuse(call, unlessInTime);
		}
	}

	private void complete() {
		if (!this.holds.stream().allMatch(Hold::isHeld)) { // a lease ran out meanwhile
			startAgain(this.parts.get(0), LockAcquirer.UNTIMELY);
			return;
		}
		for (int i = 0; i < this.holds.size(); i++) {
			this.engine.notifier().acquired(this.holds.get(i).holder(), this.parts.get(i));
		}
		MultiLockHandle handle = new MultiLockHandle(this.engine.notifier(), this.holds);
		this.ended = true;
		if (!this.result.complete(handle)) {
			discardAll(); // cancelled meanwhile
		}
	}

	private CompletableFuture<Void> discardAll() {
		CompletableFuture<?>[] releases = this.holds.stream().map(Hold::discard).toArray(CompletableFuture[]::new);
		this.holds.clear();
		return CompletableFuture.allOf(releases);
	}

	/**
	 * Release all locks, and refuse the caller once they are free and the holder of the
	 * busy lock is known, or at once if the caller has cancelled.
	 */
	private void releaseAndRefuse(Waiter.Call busy, Outcome outcome) {
		CompletableFuture<Void> released = discardAll();
		LockException cancelled = this.cancelled;
		if (cancelled != null) {
			refuse(cancelled);
			return;
		}
		CompletableFuture<List<LockState.Holder>> heldBy = this.acquirer.holders(busy, outcome);
		CompletableFuture<Void> end = CompletableFuture.allOf(released, heldBy);
		Runnable refuse = () -> refuse(this.acquirer.reason(busy, outcome, heldBy.join()));
		if (end.isDone()) {
			refuse.run();
		}
		else {
			waitFor(end, () -> {
			}, refuse);
		}
	}

	@SuppressWarnings("NullAway") // null only if wanted
	private void refuse(LockException reason) {
		this.parts.forEach((part) -> this.acquirer.refuse(part, reason));
		this.ended = true;
		if (this.nullIfBusy && reason instanceof LockNotAcquiredException) {
			this.result.complete(null);
		}
		else {
			this.result.completeExceptionally(reason);
		}
	}

	private long leftNanos() {
		return this.acquirer.leftNanos(this.parts.get(0));
	}

}
