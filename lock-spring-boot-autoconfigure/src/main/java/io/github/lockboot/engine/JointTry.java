package io.github.lockboot.engine;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * One try to take several locks at once: all of them or none, and without waiting for any
 * of them. It goes by the lanes of the locks, as every call does; but where all lanes
 * would ask the store, the store is asked once for all.
 */
final class JointTry {

	/** For those that need not be asked for because another one is not to be had. */
	private static final AcquireReply NOT_ASKED = new AcquireReply.Busy(0);

	private final Map<Waiter, Lane> waiters = new LinkedHashMap<>();

	private final CompletableFuture<Void> ended;

	private final boolean undecided;

	/**
	 * Begin to try.
	 * @param engine the lanes
	 * @param calls who is to wait for each lock
	 * @param call who wants the locks
	 */
	JointTry(LockEngine engine, Calls calls, JointCall call) {
		Batch<AcquireReply> batch = new Batch<>();
		for (Call part : call.parts()) {
			Waiter waiter = calls.waiter(part, batch);
			this.waiters.put(waiter, engine.submit(waiter));
		}
		this.ended = CompletableFuture.allOf(this.waiters.keySet().toArray(CompletableFuture[]::new));
		this.undecided = this.waiters.size() > batch.size() + count(true) + count(false);
		if (this.waiters.size() == batch.size() + count(true)) {
			batch.send(engine.store()::acquireAll);
			expireAfterWaitTime(engine.clock(), call);
		}
		else {
			batch.refuse(NOT_ASKED);
			waitForNone();
		}
	}

	/**
	 * Return the end of the try, which comes within the wait time, or if there is none
	 * within the store's time limit.
	 * @return completed with nothing, never exceptionally
	 */
	CompletableFuture<Void> ended() {
		return this.ended;
	}

	/**
	 * Whether another caller of this JVM was about to get or to give back one of the
	 * locks, so that none was asked for and nobody knows whether they are busy.
	 * @return true if so
	 */
	boolean isUndecided() {
		return this.undecided;
	}

	/**
	 * Return what is held after the end.
	 * @return holds of all locks; or of some that this JVM shared already
	 */
	List<Hold> holds() {
		return this.waiters.keySet()
			.stream()
			.map(Waiter::join)
			.filter(Hold.class::isInstance)
			.map(Hold.class::cast)
			.toList();
	}

	/**
	 * Return which lock stands in the way for the longest time.
	 * @return the refusal; {@code null} if all locks are held
	 */
	@Nullable Refusal refusal() {
		return this.waiters.keySet()
			.stream()
			.filter((waiter) -> !(waiter.join() instanceof Hold))
			.map((waiter) -> new Refusal(waiter.call(), waiter.join()))
			.max(Comparator.comparingLong(Refusal::millis))
			.orElse(null);
	}

	/** Do not want the locks any more; what is had, or comes late, is given back. */
	void leave() {
		this.waiters.forEach((waiter, lane) -> lane.leave(waiter));
	}

	private void expireAfterWaitTime(LockClock clock, JointCall call) {
		long now = clock.nanoTime();
		long leftNanos = call.leftNanos(now);
		if (leftNanos > 0 && leftNanos < Long.MAX_VALUE && !this.ended.isDone()) {
			LockClock.Timer limit = clock.schedule(now + leftNanos,
					() -> this.waiters.forEach((waiter, lane) -> lane.expire(waiter)));
			this.ended.whenComplete((done, failure) -> limit.cancel());
		}
	}

	private void waitForNone() {
		this.waiters.forEach((waiter, lane) -> {
			if (!waiter.isDone()) {
				lane.leave(waiter);
			}
		});
	}

	private long count(boolean held) {
		return this.waiters.keySet()
			.stream()
			.filter((waiter) -> waiter.isDone() && (waiter.join() instanceof Hold) == held)
			.count();
	}

	/**
	 * Why one of the locks was not had.
	 *
	 * @param call the call for it
	 * @param outcome busy or failed
	 */
	record Refusal(Call call, Outcome outcome) {

		private long millis() {
			boolean known = this.outcome instanceof Outcome.Busy busy && busy.remainingMillis() >= 0;
			return known ? ((Outcome.Busy) this.outcome).remainingMillis() : Long.MAX_VALUE;
		}

	}

}
