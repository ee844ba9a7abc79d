package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.AbandonedAttempts;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;

/**
 * The locks of one store as this JVM uses them: leads callers, and what the store pushes,
 * to the queues of the locks, and shuts down. Thread-safe.
 */
final class LockEngine implements LockPushes, AutoCloseable {

	private final LockStore store;

	private final MonotonicClock clock;

	private final LockNotifier notifier;

	private final ShutdownGate gate = new ShutdownGate();

	private final AbandonedAttempts abandoned;

	private final LockQueues queues;

	LockEngine(LockStore store, MonotonicClock clock, List<LockListener> listeners) {
		this.store = store;
		this.clock = clock;
		this.notifier = new LockNotifier(clock, listeners);
		this.abandoned = new AbandonedAttempts(store, clock, this.gate::check);
		this.queues = new LockQueues(store, clock, this.notifier, this.abandoned, this.gate::check);
		listen();
		clock.onStandstill(() -> this.queues.withAttempts().forEach(LockQueue::revalidate));
	}

	private void listen() {
		try {
			this.store.listen(this);
		}
		catch (RuntimeException ex) {
			this.store.close();
			this.clock.close();
			throw ex;
		}
	}

	LockStore store() {
		return this.store;
	}

	MonotonicClock clock() {
		return this.clock;
	}

	LockNotifier notifier() {
		return this.notifier;
	}

	LockActivity activity() {
		ActivityReport report = new ActivityReport(this.clock.nanoTime());
		this.queues.all().forEach((queue) -> queue.report(report));
		return this.notifier.complete(report);
	}

	/** Let a caller wait for its lock. */
	LockQueue submit(Waiter waiter) {
		Outcome refusal = this.gate.refusal(waiter);
		if (refusal != null) {
			waiter.complete(refusal);
			return this.queues.newQueue(waiter);
		}
		LockQueue queue = this.queues.admit(waiter);
		if (!this.gate.isOpen()) { // shut meanwhile, perhaps before the queue was seen
			queue.dismiss(this.gate);
		}
		return queue;
	}

	@Override
	public void granted(Grant grant) {
		LockQueue queue = this.queues.find(grant.attempt().id());
		if (queue != null) {
			queue.granted(grant);
		}
		else { // nobody waits for it any more
			this.abandoned.release(grant.attempt(), 0, true);
		}
	}

	@Override
	public void queuedBehind(String attempt) {
		LockQueue queue = this.queues.find(attempt);
		if (queue != null) {
			queue.queuedBehind(attempt);
		}
	}

	@Override
	public void taken(String attempt) {
		LockQueue queue = this.queues.find(attempt);
		if (queue != null) {
			queue.taken(attempt);
		}
	}

	/** In the order of their attempts: the first one to ask gets a lock that is free. */
	@Override
	public void missed() {
		this.queues.withAttempts().forEach(LockQueue::askAgain);
	}

	void stop() {
		enter(ShutdownGate.State.SECTIONS_ONLY);
	}

	boolean awaitNoneHeld(Duration timeout) {
		return this.gate.await(this.queues::hasNoAttempts, timeout);
	}

	boolean awaitAllGivenBack(Duration timeout) {
		return this.gate.await(() -> this.queues.hasNoAttempts() && this.abandoned.isEmpty(), timeout);
	}

	void takeAllAway(String reason) {
		enter(ShutdownGate.State.STOPPED);
		this.queues.all().forEach((queue) -> queue.takeAway(reason));
	}

	void resume() {
		this.gate.enter(ShutdownGate.State.OPEN);
	}

	private void enter(ShutdownGate.State state) {
		this.gate.enter(state);
		this.queues.all().forEach((queue) -> queue.dismiss(this.gate));
	}

	@Override
	public void close() {
		enter(ShutdownGate.State.CLOSED);
		this.clock.close();
		this.store.close();
		this.notifier.close();
	}

}
