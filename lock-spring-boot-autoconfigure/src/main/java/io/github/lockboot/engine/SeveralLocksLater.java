package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.concurrent.StageFailure;

/**
 * One acquisition of several locks that blocks no thread: what {@link SeveralLocks} does,
 * step after step. Needs no guard but for what a caller may do at any time, which is to
 * cancel.
 */
final class SeveralLocksLater {

	private final LockEngine engine;

	private final Calls calls;

	private final JointCall call;

	private final boolean nullIfBusy;

	private final CompletableFuture<LockHandle> result = new CompletableFuture<>();

	private final List<Hold> holds = new ArrayList<>();

	/** The lock that is waited for. */
	private volatile CompletableFuture<?> pending = CompletableFuture.completedFuture(null);

	SeveralLocksLater(LockEngine engine, Calls calls, JointCall call, boolean nullIfBusy) {
		this.engine = engine;
		this.calls = calls;
		this.call = call;
		this.nullIfBusy = nullIfBusy;
	}

	CompletableFuture<LockHandle> start() {
		this.result.whenComplete((handle, failure) -> {
			if (this.result.isCancelled()) {
				this.pending.cancel(false);
			}
		});
		begin();
		return this.result;
	}

	private void begin() {
		if (this.engine.store().takesAtOnce(this.call.request().names())) {
			JointTry joint = new JointTry(this.engine, this.calls, this.call);
			joint.ended().whenCompleteAsync((done, failure) -> tried(joint), this.engine::deliver);
		}
		else {
			takeNext();
		}
	}

	private void tried(JointTry joint) {
		List<Hold> held = joint.holds();
		if (held.size() == this.call.parts().size()) {
			this.holds.addAll(held);
			complete();
			return;
		}
		held.forEach((hold) -> hold.end(new Release()));
		try {
			this.calls.requirePatience(joint);
			takeNext();
		}
		catch (LockException ex) {
			refuse(ex);
		}
	}

	private void takeNext() {
		if (this.holds.size() == this.call.parts().size()) {
			complete();
			return;
		}
		Call next = this.call.untold(this.holds.size());
		CompletableFuture<Hold> lock = new OneLockLater<Hold>(this.engine, this.calls, next, false).start();
		this.pending = lock;
		if (this.result.isCancelled()) {
			lock.cancel(false);
		}
		lock.whenComplete((hold, failure) -> {
			if (hold != null) {
				this.holds.add(hold);
				takeNext();
			}
			else {
				giveBack(() -> refuse(reason(next, failure)));
			}
		});
	}

	private void complete() {
		if (this.holds.stream().allMatch(Hold::isHeld)) {
			this.calls.tellAcquired(this.call, this.holds);
			JointHold hold = new JointHold(this.engine, this.holds);
			if (!this.result.complete(hold)) {
				hold.closeAsync(); // cancelled meanwhile
			}
			return;
		}
		// one lease was over before the last lock was had
		giveBack(() -> {
			if (this.call.leftNanos(this.engine.clock().nanoTime()) > 0 && !this.result.isDone()) {
				begin();
			}
			else {
				refuse(this.calls.reason(this.call.first(), Calls.UNTIMELY));
			}
		});
	}

	private void giveBack(Runnable next) {
		JointHold partial = new JointHold(this.engine, this.holds);
		this.holds.clear();
		partial.closeAsync().thenRun(next);
	}

	private LockException reason(Call next, Throwable failure) {
		return (StageFailure.cause(failure) instanceof LockException refusal) ? refusal
				: this.calls.reason(next, Calls.UNTIMELY); // cancelled
	}

	@SuppressWarnings("NullAway") // null where it was asked for
	private void refuse(LockException reason) {
		this.calls.refuseAll(this.call, reason);
		if (this.nullIfBusy && reason instanceof LockNotAcquiredException) {
			this.result.complete(null);
		}
		else {
			this.result.completeExceptionally(reason);
		}
	}

}
