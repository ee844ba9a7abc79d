package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.engine.support.FencingTokens;

/**
 * A {@link Holder} that its caller receives and releases while the lease is lost: the
 * listeners are notified of an end if the hold has begun.
 */
@NullMarked
public final class HoldCalls {

	private static final LockRequest REQUEST = LockRequest.of("a");

	private static final List<LockListener> LISTENERS = List.of(new LockListener() {
	});

	private final Holder holder = new Holder(
			new Waiter(new Waiter.Call(REQUEST, 0, 0, Thread.currentThread(), false, LISTENERS), REQUEST, 30_000, false,
					null, true),
			new Lease(new LockAttempt("a", "jvm:1", 30_000, 1), 0, new AcquireReply.Owned(1, 1, 0)),
			new FencingTokens(StoreTraits.Tokens.NUMBERS, "jvm"), 1, 0);

	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger ended = new AtomicInteger();

	private volatile boolean over;

	@Operation(runOnce = true)
	public void receive() {
		this.begun.incrementAndGet();
		if (this.holder.handOut(LISTENERS)) {
			this.ended.incrementAndGet();
		}
	}

	@Operation(runOnce = true)
	public void lose() {
		this.holder.lost(new LockLostException("a", "a test", Duration.ZERO, 1), new AtomicBoolean());
		end(this.holder.loseForListeners());
	}

	@Operation(runOnce = true)
	public void release() {
		end(this.holder.endForListeners());
	}

	private void end(@Nullable List<LockListener> listeners) {
		this.over = true;
		if (listeners != null) {
			this.ended.incrementAndGet();
		}
	}

	@Validate
	public void anEndIsReported() {
		if (this.begun.get() == 1 && this.over && this.ended.get() < 1) {
			throw new IllegalStateException(this.ended + " ends");
		}
	}

	/** The same calls, one after the other. */
	public static class Specification {

		public void receive() {
			// no result
		}

		public void lose() {
			// no result
		}

		public void release() {
			// no result
		}

	}

}
