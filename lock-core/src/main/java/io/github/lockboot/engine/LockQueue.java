package io.github.lockboot.engine;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ObjLongConsumer;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.LockMachine.Command;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.FailedCall;
import io.github.lockboot.engine.support.FencingTokens;

/**
 * The callers and attempts of this JVM at one lock: a {@link LockMachine} with a mutex, a
 * timer, and the store that carries out what the machine decides. The queue is the mutex
 * itself, which saves an object for each lock. Thread-safe.
 * <p>
 * Commands are carried out without the mutex in the order in which they were decided, one
 * at a time. The thread that makes a change carries out its commands, unless another
 * thread is carrying out earlier ones: then that thread goes on with these. A command may
 * make further changes, whose commands follow. A command must not wait for another
 * command.
 * <p>
 * Passing a lease within a JVM follows lock cohorting (Dice, Marathe, Shavit: Lock
 * Cohorting, PPoPP 2012).
 */
@SuppressWarnings("serial")
final class LockQueue extends ReentrantLock implements Runnable {

	private final LockEngine engine;

	private final LockMachine machine;

	/** Whether a thread carries out commands. */
	private boolean running;

	private MonotonicClock.@Nullable Timer timer;

	private long timerNanos;

	/** Whether the engine has forgotten this lock. */
	private boolean forgotten;

	/** When a caller last requested the lock. */
	private volatile long usedNanos;

	LockQueue(LockEngine engine, LockMachine machine) {
		this.engine = engine;
		this.machine = machine;
		this.usedNanos = nanoTime();
	}

	private LockStore store() {
		return this.engine.store();
	}

	// ---- callers

	/** Submit a caller, or return false if the engine has forgotten this lock. */
	boolean submit(Waiter waiter) {
		return changes((machine, now) -> {
			if (!this.forgotten) {
				this.usedNanos = now;
				machine.submit(waiter, now);
			}
			return !this.forgotten;
		});
	}

	/**
	 * Remove a caller that has cancelled its request, or whose wait has failed. The
	 * caller may hold the lock by now.
	 */
	void leave(Waiter waiter) {
		change((machine, now) -> machine.remove(waiter, now));
		waiter.complete(new Outcome.Busy(-1)); // unless it was, or its request has failed
		if (waiter.join() instanceof Hold hold) {
			hold.discard();
		}
	}

	LockNotifier notifier() {
		return this.engine.notifier();
	}

	FencingTokens fencingTokens() {
		return this.engine.fencingTokens();
	}

	long nanoTime() {
		return this.engine.clock().nanoTime();
	}

	boolean wasSuspendedSince(long nanos) {
		return this.engine.clock().wasSuspendedSince(nanos);
	}

	// ---- memory

	long usedNanos() {
		return this.usedNanos;
	}

	/** Forget the lock if nobody requests or holds it, and return whether that is so. */
	boolean forget() {
		change((machine, now) -> this.forgotten = machine.isUnused(now));
		return this.forgotten;
	}

	// ---- events and commands

	/** Let the machine change by an event, and carry out what it decides. */
	void change(ObjLongConsumer<LockMachine> event) {
		changes((machine, now) -> {
			event.accept(machine, now);
			return true;
		});
	}

	/**
	 * Let the machine change by an event, carry out what it decides, and return whether
	 * it has changed.
	 */
	boolean changes(Event event) {
		boolean changed;
		Command.Acquire blocking;
		Command first;
		lock();
		try {
			long now = nanoTime();
			changed = event.changes(this.machine, now);
			blocking = settle(now);
			first = this.running ? null : take();
		}
		finally {
			unlock();
		}
		if (first != null) {
			this.engine.clock().proceed(() -> carryOutFrom(first));
		}
		if (blocking != null) {
			acquire(blocking);
		}
		return changed;
	}

	/** Handle a reply, and complete a future even if this fails. */
	private void change(ObjLongConsumer<LockMachine> event, @Nullable CompletableFuture<Void> done) {
		try {
			change(event);
		}
		catch (RuntimeException | Error ex) {
			if (done != null) {
				done.complete(null);
			}
			throw ex;
		}
	}

	/**
	 * Grant the lock, set the timer, and leave what else was decided to the commands, in
	 * its order and behind what was decided before, but for a first request that is to
	 * block the present thread: it is returned, because no command for its attempt can be
	 * decided before its reply, and all others would wait.
	 */
	private Command.@Nullable Acquire settle(long nowNanos) {
		Command.Acquire blocking = null;
		for (Iterator<Command> commands = this.machine.decided(); commands.hasNext();) {
			Command next = commands.next();
			if (next instanceof Command.Grant grant) {
				commands.remove();
				this.machine.stopCounting(grant.waiter(), false, nowNanos);
				grant.waiter().complete(new Hold(this, grant.holder()));
			}
			else if (next instanceof Command.Acquire acquire && acquire.blockNanos() > 0) {
				commands.remove();
				blocking = acquire;
			}
		}
		setTimer();
		return blocking;
	}

	/** Touch the timer only if it would fire too late, or if nothing is left to do. */
	private void setTimer() {
		long wakeNanos = this.machine.wakeNanos();
		if (wakeNanos == MonotonicClock.NEVER) {
			stopTimer();
		}
		else if (this.timer == null || wakeNanos - this.timerNanos < 0) {
			stopTimer();
			this.timerNanos = wakeNanos;
			this.timer = this.engine.clock().schedule(wakeNanos, this);
		}
	}

	private void stopTimer() {
		if (this.timer != null) {
			this.timer.cancel();
			this.timer = null;
		}
	}

	/**
	 * Tick, by the timer. A timer that was cancelled too late leaves the next one alone.
	 */
	@Override
	public void run() {
		change((machine, now) -> {
			if (this.timerNanos - now <= 0) {
				this.timer = null;
			}
			machine.tick(now);
		});
	}

	private void carryOutFrom(Command first) {
		boolean failed = true;
		try {
			for (Command command = first; command != null; command = takeNext()) {
				carryOut(command);
			}
			failed = false;
		}
		finally {
			Command command = failed ? takeNext() : null;
			if (command != null) { // which must not keep the commands of other threads
				carryOutFrom(command);
			}
		}
	}

	private @Nullable Command takeNext() {
		lock();
		try {
			return take();
		}
		finally {
			unlock();
		}
	}

	private @Nullable Command take() {
		Command taken = this.machine.takeDecided();
		this.running = taken != null;
		return taken;
	}

	private void carryOut(Command command) {
		if (command instanceof Command.Acquire acquire) {
			acquire(acquire);
		}
		else if (command instanceof Command.Release release) {
			LockStore.call(() -> store().release(release.owner(), release.usedToken(), release.keptMillis()))
				.whenComplete((reply, failure) -> change((machine, now) -> machine.released(release, reply, now),
						release.done()));
		}
		else if (command instanceof Command.Renew renew) {
			Lease.Term term = renew.term();
			LockStore
				.call(() -> term.isExtension() ? store().extend(term.attempt(), term.asks())
						: store().renew(term.attempt()))
				.whenComplete((reply, failure) -> change(
						(machine, now) -> machine.renewed(renew, reply, cause(failure), now), renew.done()));
		}
		else if (command instanceof Command.Confirm confirm) {
			LockStore.call(() -> store().confirmQueued(confirm.lock(), confirm.sinceMicros()))
				.whenComplete((replies,
						failure) -> change((machine, now) -> machine.confirmed(confirm, replies, cause(failure), now)));
		}
		else if (command instanceof Command.Downgrade downgrade) {
			LockStore.call(() -> store().downgrade(downgrade.owner(), downgrade.usedToken()))
				.whenComplete((reply, failure) -> downgrade.done().complete(null));
		}
		else {
			this.engine.carryOut(command, this);
		}
	}

	private void acquire(Command.Acquire acquire) {
		if (acquire.first()) {
			this.engine.register(acquire.attempt());
		}
		LockStore.call(
				() -> store().acquire(acquire.request(), acquire.seenToken(), acquire.queueing(), acquire.blockNanos()))
			.whenComplete((reply, failure) -> {
				Throwable cause = cause(failure);
				FailedCall failed = (cause != null) ? store().failureOf(cause) : FailedCall.UNKNOWN;
				change((machine, now) -> machine.acquired(acquire, reply, cause, failed, now));
			});
	}

	private static @Nullable Throwable cause(@Nullable Throwable failure) {
		return (failure != null) ? StageFailure.cause(failure) : null;
	}

	/** What may change a lock. */
	interface Event {

		/** Return whether the machine has changed, at a time. */
		boolean changes(LockMachine machine, long nowNanos);

	}

}
