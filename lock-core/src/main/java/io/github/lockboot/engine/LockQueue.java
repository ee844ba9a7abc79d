package io.github.lockboot.engine;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.OrderedCommands;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;

/**
 * The callers and attempts of this JVM at one lock: a {@link LockMachine} with a mutex, a
 * timer, and the store that carries out what the machine decides. Thread-safe.
 * <p>
 * Passing a lease within a JVM follows lock cohorting (Dice, Marathe, Shavit: Lock
 * Cohorting, PPoPP 2012).
 */
final class LockQueue {

	private final LockEngine engine;

	private final MonotonicClock clock;

	private final LockStore store;

	private final String lock;

	private final LockMachine machine;

	private final OrderedCommands<Command> commands;

	private MonotonicClock.@Nullable Timer timer;

	private long timerNanos;

	/** Whether the engine has forgotten this lock. */
	private boolean forgotten;

	/** When a caller last requested the lock. */
	private volatile long usedNanos;

	LockQueue(LockEngine engine, String lock, LockContext context) {
		this.engine = engine;
		this.clock = engine.clock();
		this.store = engine.store();
		this.lock = lock;
		this.machine = new LockMachine(lock, context);
		this.commands = new OrderedCommands<>(this.clock, this::carryOut);
		this.usedNanos = this.clock.nanoTime();
	}

	String lock() {
		return this.lock;
	}

	// ---- callers

	/** Submit a caller, or return false if the engine has forgotten this lock. */
	boolean submit(Waiter waiter) {
		boolean[] submitted = new boolean[1];
		AtomicReference<Command.@Nullable Acquire> blocking = new AtomicReference<>();
		this.commands.decide((commands) -> {
			if (!this.forgotten) {
				submitted[0] = true;
				this.usedNanos = this.clock.nanoTime();
				this.machine.submit(waiter, this.usedNanos);
				blocking.set(settle(commands, this.usedNanos));
			}
		});
		Command.Acquire acquire = blocking.get();
		if (acquire != null) {
			acquire(acquire);
		}
		return submitted[0];
	}

	/** End the wait of a caller whose wait time is over. */
	void expire(Waiter waiter) {
		change((now) -> this.machine.expire(waiter, now));
	}

	/**
	 * Let a caller whose wait time has no limit leave if the store fails all the time,
	 * and return after which time to check again.
	 */
	long expireIfFailing(Waiter waiter, long patienceNanos) {
		long[] leftNanos = new long[1];
		change((now) -> leftNanos[0] = this.machine.expireIfFailing(waiter, patienceNanos, now));
		return leftNanos[0];
	}

	/**
	 * Remove a caller that has cancelled its request, or whose wait has failed. The
	 * caller may hold the lock by now.
	 */
	void leave(Waiter waiter) {
		change((now) -> this.machine.remove(waiter, now));
		waiter.complete(new Outcome.Busy(-1)); // unless it was, or its request has failed
		if (waiter.join() instanceof Hold hold) {
			hold.discard();
		}
	}

	/** Refuse the waiters that shutdown no longer admits. */
	void dismiss(Function<Waiter, @Nullable Outcome> refusals) {
		change((now) -> this.machine.dismiss(refusals, now));
	}

	void report(List<Holder> holders, List<Waiter> waiters) {
		change((now) -> this.machine.report(holders, waiters));
	}

	// ---- holders

	/**
	 * End a hold.
	 * @param done completed, never exceptionally, once the store has replied or failed to
	 * reply
	 * @return false if the hold had ended before
	 */
	boolean end(Holder holder, CompletableFuture<Void> done) {
		boolean[] held = new boolean[1];
		change((now) -> held[0] = this.machine.change(holder, (owned) -> owned.leave(holder, done, now), now));
		return held[0];
	}

	/**
	 * Let others share the lock of a holder.
	 * @param done completed once the store has replied or failed to reply
	 */
	void downgrade(Holder holder, CompletableFuture<Void> done) {
		boolean[] held = new boolean[1];
		change((now) -> held[0] = this.machine.change(holder, (owned) -> owned.downgrade(done), now));
		if (!held[0]) {
			done.complete(null);
		}
	}

	/**
	 * Renew the lease of a holder once, even a fixed one.
	 * @param done completed once the store has replied or failed to reply
	 */
	void renew(Holder holder, CompletableFuture<Void> done) {
		boolean[] held = new boolean[1];
		change((now) -> held[0] = this.machine.change(holder, (owned) -> owned.renew(holder, done, now), now));
		if (!held[0]) {
			done.complete(null);
		}
	}

	/** Lose the lease if it is over, even before its timer fires. */
	void loseIfOver(Holder holder) {
		change((now) -> this.machine.change(holder, (owned) -> owned.loseIfOver(now), now));
	}

	/** Note that a resource has admitted a holder of the lock with this token. */
	void seen(long fencingToken) {
		this.machine.seen(this.engine.fencingTokens().ofStore(fencingToken));
	}

	LockNotifier notifier() {
		return this.engine.notifier();
	}

	long nanoTime() {
		return this.clock.nanoTime();
	}

	boolean wasJustSuspended() {
		return this.clock.wasJustSuspended();
	}

	// ---- pushes

	/** Note that an attempt that waited in the store owns the lock now. */
	void granted(LockPushes.Grant grant) {
		change((now) -> this.machine.granted(grant, now));
	}

	/** Return whether a released attempt keeps the lock for a minimum hold time. */
	boolean isKept(String attempt) {
		boolean[] kept = new boolean[1];
		change((now) -> kept[0] = this.machine.isKept(attempt, now));
		return kept[0];
	}

	/** Note that another JVM waits behind an attempt. */
	void queuedBehind(Attempt attempt) {
		if (attempt.queuedBehind()) {
			change((now) -> this.machine.recall(attempt, now));
		}
	}

	/**
	 * Note that the lock may be free.
	 * @param attempt the one that knows this, or {@code null} for all
	 */
	void releasedElsewhere(@Nullable String attempt) {
		change((now) -> this.machine.releasedElsewhere(attempt, now));
	}

	/** Repeat the requests, because pushes may have been missed. */
	void missed() {
		change(this.machine::missed);
	}

	/**
	 * Revalidate the lock: a lease may be lost, or a push missed.
	 * @param reason why the lease is lost if the store no longer knows it
	 */
	void revalidate(String reason) {
		change((now) -> this.machine.revalidate(reason, now));
	}

	/** Lose the lock that the store has taken away from an attempt. */
	void taken(String attempt, String reason, boolean mayBeOurs) {
		change((now) -> this.machine.taken(attempt, reason, mayBeOurs, now));
	}

	/** Take the lock away from its holders by some attempts. */
	void takeAway(Predicate<String> attempts, String reason) {
		change((now) -> this.machine.takeAway(attempts, reason, now));
	}

	/** Release the lock if nobody holds it. */
	void releaseRetained() {
		change(this.machine::releaseRetained);
	}

	// ---- memory

	long usedNanos() {
		return this.usedNanos;
	}

	/** Return whether nobody requests or holds the lock. */
	boolean isUnused() {
		boolean[] unused = new boolean[1];
		change((now) -> unused[0] = this.machine.isUnused(now));
		return unused[0];
	}

	/** Forget the lock if nobody requests or holds it, and return whether that is so. */
	boolean forget() {
		change((now) -> this.forgotten = this.machine.isUnused(now));
		return this.forgotten;
	}

	// ---- events and commands

	/** Let the machine change by an event, and carry out what it decides. */
	private void change(LongConsumer event) {
		this.commands.decide((commands) -> {
			long now = this.clock.nanoTime();
			event.accept(now);
			settle(commands, now);
		});
	}

	/** Handle a reply, and complete a future even if this fails. */
	private void change(LongConsumer event, @Nullable CompletableFuture<Void> done) {
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
	 * Grant the lock, set the timer, and leave what else was decided to the commands, but
	 * for a first request that is to block the present thread: it is returned, because no
	 * command for its attempt can be decided before its reply, and all others would wait.
	 */
	private Command.@Nullable Acquire settle(Queue<Command> commands, long nowNanos) {
		Command.Acquire blocking = null;
		Queue<Command> decided = this.machine.commands();
		for (Command next = decided.poll(); next != null; next = decided.poll()) {
			if (next instanceof Command.Grant grant) {
				this.machine.granted(grant.waiter(), nowNanos);
				grant.waiter().complete(new Hold(this, grant.holder()));
			}
			else if (next instanceof Command.Acquire acquire && acquire.blockNanos() > 0) {
				blocking = acquire;
			}
			else {
				commands.add(next);
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
			this.timer = this.clock.schedule(wakeNanos, () -> tick(wakeNanos));
		}
	}

	private void stopTimer() {
		if (this.timer != null) {
			this.timer.cancel();
			this.timer = null;
		}
	}

	private void tick(long timerNanos) {
		change((now) -> {
			if (this.timerNanos == timerNanos) {
				this.timer = null;
			}
			this.machine.tick(now);
		});
	}

	private void carryOut(Command command) {
		if (command instanceof Command.Acquire acquire) {
			acquire(acquire);
		}
		else if (command instanceof Command.Release release) {
			LockStore.call(() -> this.store.release(release.owner(), release.usedToken(), release.keptMillis()))
				.whenComplete((reply, failure) -> change((now) -> this.machine.released(release, reply, now),
						release.done()));
		}
		else if (command instanceof Command.Renew renew) {
			LockStore.call(() -> this.store.renew(renew.renewal()))
				.whenComplete((reply, failure) -> change(
						(now) -> this.machine.renewed(renew, reply, cause(failure), now), renew.done()));
		}
		else if (command instanceof Command.Confirm confirm) {
			LockStore.call(() -> this.store.confirmQueued(this.lock, confirm.sinceMicros()))
				.whenComplete((replies,
						failure) -> change((now) -> this.machine.confirmed(confirm, replies, cause(failure), now)));
		}
		else if (command instanceof Command.Downgrade downgrade) {
			LockStore.call(() -> this.store.downgrade(downgrade.owner(), downgrade.usedToken()))
				.whenComplete((reply, failure) -> downgrade.done().complete(null));
		}
		else {
			this.engine.carryOut(command, this);
		}
	}

	private void acquire(Command.Acquire acquire) {
		if (acquire.first()) {
			this.engine.register(acquire.attempt(), this);
		}
		LockStore
			.call(() -> this.store.acquire(acquire.request(), acquire.seenToken(), acquire.queueing(),
					acquire.blockNanos()))
			.whenComplete((reply, failure) -> {
				Throwable cause = cause(failure);
				boolean refused = cause != null && this.store.isRefusal(cause);
				boolean cut = cause != null && this.store.isConnectionLost(cause);
				change((now) -> this.machine.acquired(acquire, reply, cause, refused, cut, now));
			});
	}

	private static @Nullable Throwable cause(@Nullable Throwable failure) {
		return (failure != null) ? StageFailure.cause(failure) : null;
	}

}
