package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockRequest;

/**
 * Takes several locks, all of them or none: at once if all are free, which is one call to
 * the store. Else one after the other in the order that all callers keep, waiting in the
 * queue of each: so nobody is overtaken, and nobody waits in a circle.
 */
final class SeveralLocks {

	private final LockEngine engine;

	private final Calls calls;

	private final OneLock oneLock;

	SeveralLocks(LockEngine engine, Calls calls, OneLock oneLock) {
		this.engine = engine;
		this.calls = calls;
		this.oneLock = oneLock;
	}

	/**
	 * Take several locks or throw.
	 * @param request which locks, and how
	 * @return a hold of each
	 * @throws io.github.lockboot.LockException as one lock would; then none is held
	 */
	List<Hold> acquire(LockRequest request) {
		long startNanos = this.engine.clock().nanoTime();
		while (true) {
			List<Hold> holds = acquire(request, startNanos);
			if (holds.stream().allMatch(Hold::isHeld)) {
				return holds;
			}
			// one lease was over before the last lock was had
			giveBack(holds);
			if (this.calls.leftNanos(request, startNanos) <= 0) {
				throw this.calls.refuse(this.calls.begin(request, startNanos), Calls.UNTIMELY);
			}
		}
	}

	/**
	 * Take several locks without blocking a thread.
	 * @param request which locks, and how
	 * @param nullIfBusy whether {@code null} stands for locks that stayed busy
	 * @return completed with the hold of all, or exceptionally as one lock's would be
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request, boolean nullIfBusy) {
		return new SeveralLocksLater(this.engine, this.calls, request, nullIfBusy).start();
	}

	private List<Hold> acquire(LockRequest request, long startNanos) {
		if (this.engine.store().takesAtOnce(request.names())) {
			JointTry joint = new JointTry(this.engine, this.calls.waiter(request, startNanos, true));
			await(joint, request, startNanos);
			List<Hold> holds = joint.holds();
			if (holds.size() == request.names().size()) {
				this.calls.tellAcquired(holds, startNanos);
				return holds;
			}
			holds.forEach((hold) -> hold.end(new Release()));
			this.calls.refuseUnlessPatient(joint, request, startNanos);
		}
		return acquireOneByOne(request, startNanos);
	}

	private void await(JointTry joint, LockRequest request, long startNanos) {
		try {
			joint.ended().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			joint.leave();
			throw this.calls.refuse(this.calls.begin(request, startNanos),
					new LockInterruptedException(request.name()));
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A waiter is never completed exceptionally", ex);
		}
	}

	private List<Hold> acquireOneByOne(LockRequest request, long startNanos) {
		List<Hold> holds = new ArrayList<>();
		try {
			for (String name : request.names()) {
				holds.add(this.oneLock.acquire(request.name(name), startNanos));
			}
			return holds;
		}
		catch (RuntimeException | Error ex) {
			giveBack(holds);
			throw ex;
		}
	}

	private void giveBack(List<Hold> holds) {
		new JointHold(this.engine, holds).close();
	}

}
