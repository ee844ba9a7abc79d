package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.FencingTokens;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * A {@link Hold} that its caller receives and releases while the lease is lost: each
 * callback runs once, and the listeners are notified of an end if the hold has begun.
 */
@NullMarked
public final class HoldCalls implements HeldLease {

	private static final LockRequest REQUEST = LockRequest.of("a");

	private static final List<LockListener> LISTENERS = List.of(new LockListener() {
	});

	private final Lease lease = new Lease(new LockAttempt("a", "jvm:1", 30_000, 1), 0, new AcquireReply.Owned(1, 1, 0));

	private final Hold hold = new Hold(this,
			new Waiter(new Waiter.Call(REQUEST, 0, 0, Thread.currentThread(), false, LISTENERS), REQUEST, 30_000, false,
					null, true),
			new FencingTokens(StoreTraits.Tokens.NUMBERS, "jvm"), 1, 0);

	private final AtomicInteger registered = new AtomicInteger();

	private final AtomicInteger called = new AtomicInteger();

	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger ended = new AtomicInteger();

	private volatile boolean lost;

	private volatile boolean over;

	@Operation
	public void register() {
		this.registered.incrementAndGet();
		this.hold.onLost(this.called::incrementAndGet);
	}

	@Operation(runOnce = true)
	public void receive() {
		this.begun.incrementAndGet();
		if (this.hold.handOut(LISTENERS)) {
			this.ended.incrementAndGet();
		}
	}

	@Operation(runOnce = true)
	public void lose() {
		this.hold.lost(new LockLostException("a", "a test", Duration.ZERO, 1)).forEach(Runnable::run);
		this.lost = true;
		end(this.hold.loseForListeners());
	}

	@Operation(runOnce = true)
	public void release() {
		end(this.hold.endForListeners());
	}

	private void end(@Nullable List<LockListener> listeners) {
		this.over = true;
		if (listeners != null) {
			this.ended.incrementAndGet();
		}
	}

	@Validate
	public void eachCallbackRunsOnceAndAnEndIsReported() {
		if (this.called.get() != (this.lost ? this.registered.get() : 0)) {
			throw new IllegalStateException(this.called + " of " + this.registered + " callbacks");
		}
		if (this.begun.get() == 1 && this.over && this.ended.get() < 1) {
			throw new IllegalStateException(this.ended + " ends");
		}
	}

	@Override
	public Lease lease() {
		return this.lease;
	}

	@Override
	public long nanoTime() {
		return 0;
	}

	@Override
	public boolean isInDoubt() {
		return false;
	}

	@Override
	public LockNotifier notifier() {
		throw new UnsupportedOperationException();
	}

	@Override
	public void callBack(Runnable callback) {
		callback.run();
	}

	@Override
	public boolean end(Hold hold, CompletableFuture<Void> done) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void downgrade(Hold hold, CompletableFuture<Void> done) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void renew(Hold hold, CompletableFuture<Void> done) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void loseIfOver(Hold hold) {
		// never over
	}

	@Override
	public void seen(long storeToken) {
		throw new UnsupportedOperationException();
	}

	/** The same calls, one after the other. */
	public static class Specification {

		public void register() {
			// no result
		}

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
