package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import io.github.lockboot.LockException;
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
	 * @throws LockException as one lock would; then none is held
	 */
	List<Hold> acquire(LockRequest request) {
		JointCall call = this.calls.beginAll(request);
		List<Hold> holds;
		try {
			holds = take(call);
		}
		catch (LockException ex) {
			throw this.calls.refuseAll(call, ex);
		}
		this.calls.tellAcquired(call, holds);
		return holds;
	}

	/**
	 * Take several locks without blocking a thread.
	 * @param request which locks, and how
	 * @param nullIfBusy whether {@code null} stands for locks that stayed busy
	 * @return completed with the hold of all, or exceptionally as one lock's would be
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request, boolean nullIfBusy) {
		return new SeveralLocksLater(this.engine, this.calls, this.calls.beginAll(request), nullIfBusy).start();
	}

	private List<Hold> take(JointCall call) {
		while (true) {
			List<Hold> holds = takeOnce(call);
			if (holds.stream().allMatch(Hold::isHeld)) {
				return holds;
			}
			// one lease was over before the last lock was had
			giveBack(holds);
			if (call.leftNanos(this.engine.clock().nanoTime()) <= 0) {
				throw this.calls.reason(call.first(), Calls.UNTIMELY);
			}
		}
	}

	private List<Hold> takeOnce(JointCall call) {
		if (Thread.currentThread().isInterrupted()) {
			throw new LockInterruptedException(call.request().name());
		}
		if (this.engine.store().takesAtOnce(call.request().names())) {
			JointTry joint = new JointTry(this.engine, this.calls, call);
			await(joint, call);
			List<Hold> holds = joint.holds();
			if (holds.size() == call.parts().size()) {
				return holds;
			}
			holds.forEach((hold) -> hold.end(new Release()));
			this.calls.requirePatience(joint);
		}
		return takeOneByOne(call);
	}

	private void await(JointTry joint, JointCall call) {
		try {
			joint.ended().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			joint.leave();
			throw new LockInterruptedException(call.request().name());
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A waiter is never completed exceptionally", ex);
		}
	}

	private List<Hold> takeOneByOne(JointCall call) {
		List<Hold> holds = new ArrayList<>();
		try {
			for (int i = 0; i < call.parts().size(); i++) {
				holds.add(this.oneLock.acquire(call.untold(i)));
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
