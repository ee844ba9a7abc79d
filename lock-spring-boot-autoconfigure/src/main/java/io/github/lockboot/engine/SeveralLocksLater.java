package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;

/**
 * One acquisition of several locks that blocks no thread: what {@link SeveralLocks} does,
 * step after step. Needs no guard but for what a caller may do at any time, which is to
 * cancel.
 */
final class SeveralLocksLater {

	private final LockEngine engine;

	private final Calls calls;

	private final LockRequest request;

	private final boolean nullIfBusy;

	private final long startNanos;

	private final CompletableFuture<LockHandle> result = new CompletableFuture<>();

	private final List<Hold> holds = new ArrayList<>();

	/** The lock that is waited for. */
	private volatile CompletableFuture<?> pending = CompletableFuture.completedFuture(null);

	SeveralLocksLater(LockEngine engine, Calls calls, LockRequest request, boolean nullIfBusy) {
		this.engine = engine;
		this.calls = calls;
		this.request = request;
		this.nullIfBusy = nullIfBusy;
		this.startNanos = engine.clock().nanoTime();
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
		if (this.engine.store().takesAtOnce(this.request.names())) {
			JointTry joint = new JointTry(this.engine, this.calls.waiter(this.request, this.startNanos, true));
			joint.ended().whenCompleteAsync((done, failure) -> tried(joint), this.engine::callBack);
		}
		else {
			takeNext();
		}
	}

	private void tried(JointTry joint) {
		List<Hold> held = joint.holds();
		if (held.size() == this.request.names().size()) {
			this.calls.tellAcquired(held, this.startNanos);
			this.holds.addAll(held);
			complete();
			return;
		}
		held.forEach((hold) -> hold.end(new Release()));
		try {
			this.calls.refuseUnlessPatient(joint, this.request, this.startNanos);
			takeNext();
		}
		catch (LockException ex) {
			refuse(ex);
		}
	}

	private void takeNext() {
		if (this.holds.size() == this.request.names().size()) {
			complete();
			return;
		}
		LockRequest next = this.request.name(this.request.names().get(this.holds.size()));
		CompletableFuture<Hold> lock = new OneLockLater<Hold>(this.engine, this.calls,
				this.calls.begin(next, this.startNanos), false)
			.start();
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
				giveBack(() -> refuse(Replies.cause(failure)));
			}
		});
	}

	private void complete() {
		if (this.holds.stream().allMatch(Hold::isHeld)) {
			JointHold hold = new JointHold(this.engine, this.holds);
			if (!this.result.complete(hold)) {
				hold.closeAsync(); // cancelled meanwhile
			}
			return;
		}
		// one lease was over before the last lock was had
		giveBack(() -> {
			if (this.calls.leftNanos(this.request, this.startNanos) > 0 && !this.result.isDone()) {
				begin();
			}
			else {
				refuse(this.calls.refuse(this.calls.begin(this.request, this.startNanos), Calls.UNTIMELY));
			}
		});
	}

	private void giveBack(Runnable next) {
		JointHold partial = new JointHold(this.engine, this.holds);
		this.holds.clear();
		partial.closeAsync().thenRun(next);
	}

	@SuppressWarnings("NullAway") // null where it was asked for
	private void refuse(@Nullable Throwable reason) {
		if (this.nullIfBusy && reason instanceof LockNotAcquiredException) {
			this.result.complete(null);
		}
		else {
			this.result.completeExceptionally(reason);
		}
	}

}
