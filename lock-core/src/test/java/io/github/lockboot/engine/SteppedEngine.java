package io.github.lockboot.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AutoClose;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The engine with a stepped clock and a store whose replies the test sets, without
 * threads.
 */
abstract class SteppedEngine {

	static final Duration LEASE = Duration.ofSeconds(30);

	final SteppedClock clock = new SteppedClock();

	final FakeStore store = new FakeStore();

	@AutoClose
	final LockEngine engine = new LockEngine(this.store, this.clock, listeners());

	private final Map<Waiter, LockQueue> queues = new HashMap<>();

	List<LockListener> listeners() {
		return List.of();
	}

	final Waiter waiter() {
		return waiter(LockRequest.of("a"), LEASE.toMillis(), false);
	}

	final Waiter waiter(LockRequest request) {
		return waiter(request, LEASE.toMillis(), false);
	}

	final Waiter waiter(LockRequest request, long leaseMillis, boolean triesOnce) {
		return Waiters.of(this.engine, request, leaseMillis, triesOnce);
	}

	final Waiter fair() {
		return waiter(LockRequest.of("a").fair(true));
	}

	final Waiter queued(Waiter waiter) {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		return submitted(waiter);
	}

	final Waiter tryingOnce() {
		return waiter(LockRequest.of("a"), LEASE.toMillis(), true);
	}

	final Waiter submitted(LockRequest request) {
		return submitted(waiter(request));
	}

	final Waiter submitted(Waiter waiter) {
		this.queues.put(waiter, this.engine.submit(waiter));
		return waiter;
	}

	/** End the wait of a caller, as at the end of its wait time. */
	final void expire(Waiter waiter) {
		Objects.requireNonNull(this.queues.get(waiter)).change((machine, now) -> {
			waiter.waitUntil(now);
			machine.wakeAt(now);
			machine.tick(now);
		});
	}

	final void leave(Waiter waiter) {
		Objects.requireNonNull(this.queues.get(waiter)).leave(waiter);
	}

	static Hold hold(Waiter waiter) {
		assertThat(waiter).isDone();
		return (Hold) waiter.join();
	}

	/** Pass a lock on to the next caller. */
	final Hold passed(Hold hold) {
		Waiter next = submitted(waiter());
		hold.close();
		return hold(next);
	}

	final Hold acquired(Waiter waiter) {
		return (Hold) submitted(waiter).orTimeout(1, TimeUnit.SECONDS).join();
	}

}
