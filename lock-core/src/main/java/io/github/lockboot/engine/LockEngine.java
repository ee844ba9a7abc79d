package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.Mutex;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.LockMachine.Command;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.FailedCall;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.support.AbandonedAttempts;
import io.github.lockboot.engine.support.FencingTokens;

/**
 * The locks of one store in this JVM. The engine passes callers to the queues of their
 * locks, and pushes of the store to the queues of the attempts. Thread-safe.
 */
final class LockEngine implements LockPushes, AutoCloseable {

	/** About how many unused locks are remembered, with the highest tokens seen. */
	private static final int MEMORIES = 4096;

	/** The number of idle locks that are retained; each is renewed all the time. */
	private static final int MOST_IDLE = 500;

	/** How long a stop may overlook that nothing is held any more. */
	private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final String PROBE = " ";

	private static final long PROBE_LEASE_MILLIS = 5000;

	private static final String RELEASED_BY_FORCE = "it was released by force";

	private static final Outcome CLOSED = new Outcome.Stopping("the locks are closed");

	private static final Outcome STOPPING = new Outcome.Stopping(
			"the application is shutting down and grants no more locks");

	private final LockStore store;

	private final MonotonicClock clock;

	private final LockNotifier notifier;

	private final AbandonedAttempts abandoned;

	private final FencingTokens fencingTokens;

	private final LockMachine.Context context;

	/** The locks that callers of this JVM request or hold, or have used recently. */
	private final ConcurrentMap<String, LockQueue> queues = new ConcurrentHashMap<>();

	/** The attempts that pushes may concern, by their ids. */
	private final ConcurrentMap<String, Attempt> attempts = new ConcurrentHashMap<>();

	/** How many locks there may be before those that are not used are forgotten. */
	private volatile int mostQueues = MEMORIES;

	/** The queues of retained locks, idle for longest first; guarded by the mutex. */
	private final Set<LockQueue> idleQueues = new LinkedHashSet<>();

	private final AtomicLong attemptNumbers = new AtomicLong();

	private final Mutex mutex = new Mutex();

	private final Condition attemptsForgotten = this.mutex.newCondition();

	private volatile Admission admission = Admission.ALL;

	private volatile long startedNanos;

	private volatile @Nullable Thread starter;

	LockEngine(LockStore store, MonotonicClock clock, List<LockListener> listeners) {
		this.store = store;
		this.clock = clock;
		this.notifier = new LockNotifier(clock, listeners);
		this.abandoned = new AbandonedAttempts(store, clock, this::onForgotten);
		this.fencingTokens = new FencingTokens(store.traits().tokens(), store.instance());
		this.context = new LockMachine.Context(store::traits, this.fencingTokens, this::newAttemptId, clock::random,
				clock::wasSuspendedSince, store::isReachable, this::isOpen);
		listen();
		clock.onSuspended(() -> usedQueues()
			.forEach((queue) -> queue.change((machine, now) -> machine.revalidate(OwnedLease.NOT_KNOWN, now))));
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

	FencingTokens fencingTokens() {
		return this.fencingTokens;
	}

	/** Return the activity at the lock of an attempt, or at all locks. */
	LockActivity activity(@Nullable String attempt) {
		List<Holder> holders = new ArrayList<>();
		List<Waiter> waiters = new ArrayList<>();
		if (attempt != null) {
			change(this.attempts.get(attempt), (machine, now) -> machine.report(holders, waiters));
		}
		else {
			this.queues.values().forEach((queue) -> queue.change((machine, now) -> machine.report(holders, waiters)));
		}
		return this.notifier.activity().report(holders, waiters);
	}

	/** Return how many attempts there were. */
	long attempts() {
		return this.attemptNumbers.get();
	}

	/** Return whether there is an attempt that waits or owns a lock. */
	boolean isAttempting() {
		return !this.attempts.isEmpty();
	}

	/**
	 * Release a lock by force. This JVM checks whether it was the owner, because the push
	 * about that may have been missed.
	 */
	CompletionStage<Boolean> forceRelease(String lock) {
		return store().administration().forceRelease(lock).thenApply((released) -> {
			change(lock, (machine, now) -> machine.revalidate(RELEASED_BY_FORCE, now));
			return released;
		});
	}

	/**
	 * Acquire and release a lock whose name no request can have. The lock may be busy
	 * with the probe of another instance.
	 */
	CompletionStage<?> probe() {
		LockAttempt attempt = new LockAttempt(PROBE, newAttemptId(), PROBE_LEASE_MILLIS, 1);
		return this.store.acquire(attempt, 0, LockStore.Queueing.NO, 0).whenComplete((reply, failure) -> {
			if (failure != null && this.store.failureOf(StageFailure.cause(failure)) != FailedCall.REFUSED) {
				this.abandoned.release(attempt, false);
			}
		})
			.thenCompose((reply) -> (reply instanceof LockStore.AcquireReply.Owned owned)
					? this.store.release(attempt, owned.token(), 0) : CompletableFuture.completedStage(null));
	}

	// ---- callers

	/** Pass a caller to the queue of its lock. */
	LockQueue submit(Waiter waiter) {
		LockQueue queue = queue(waiter.request().name());
		Outcome refusal = refusal(waiter);
		if (refusal != null) {
			waiter.complete(refusal);
			return queue;
		}
		try {
			if (!queue.submit(waiter)) { // the lock was just forgotten
				this.queues.remove(waiter.request().name(), queue);
				return submit(waiter);
			}
		}
		catch (RuntimeException | Error ex) {
			queue.leave(waiter); // nobody waits for its outcome
			throw ex;
		}
		// since then
		if (this.admission != Admission.ALL) {
			queue.change((machine, now) -> machine.dismiss(this::refusal, now));
		}
		return queue;
	}

	private LockQueue queue(String lock) {
		LockQueue queue = this.queues.get(lock);
		if (queue != null) {
			return queue;
		}
		if (this.queues.size() >= this.mostQueues) {
			forgetUnused();
		}
		return this.queues.computeIfAbsent(lock, (name) -> new LockQueue(this, new LockMachine(this.context)));
	}

	/** Forget the locks that were not used for longest, except the latest ones. */
	private void forgetUnused() {
		this.mutex.run(() -> {
			if (this.queues.size() < this.mostQueues) {
				return;
			}
			long now = this.clock.nanoTime();
			List<LockQueue> unused = this.queues.values()
				.stream()
				.filter((queue) -> queue.changes(LockMachine::isUnused))
				.sorted(Comparator.comparingLong((queue) -> queue.usedNanos() - now))
				.toList();
			this.queues.values()
				.removeAll(unused.subList(0, Math.max(0, unused.size() - MEMORIES / 4 * 3))
					.stream()
					.filter(LockQueue::forget)
					.collect(Collectors.toSet()));
			int kept = this.queues.size();
			// in proportion: many held locks are not visited for each few new ones
			this.mostQueues = Math.max(MEMORIES, kept + Math.max(MEMORIES, kept) / 4);
		});
	}

	/**
	 * Note that a retained lock is idle now, or no longer. If too many locks are idle,
	 * the one that has been idle for longest is released.
	 */
	private void idle(LockQueue queue, boolean idle) {
		LockQueue longest = this.mutex.get(() -> {
			if (!idle) {
				this.idleQueues.remove(queue);
				return null;
			}
			this.idleQueues.add(queue);
			return (this.idleQueues.size() > MOST_IDLE) ? this.idleQueues.iterator().next() : null;
		});
		if (longest != null) {
			longest.change(LockMachine::releaseRetained);
		}
	}

	/** Return whether all callers are admitted. */
	boolean isOpen() {
		return this.admission == Admission.ALL;
	}

	// ---- attempts

	/** Pass pushes for an attempt to its queue until the attempt is forgotten. */
	void register(Attempt attempt) {
		this.attempts.put(attempt.id(), attempt);
	}

	/** Pass an event to the queue of an attempt, if the attempt is known. */
	private void change(@Nullable Attempt attempt, ObjLongConsumer<LockMachine> event) {
		if (attempt != null) {
			change(attempt.inStore().lock(), event);
		}
	}

	private void change(String lock, ObjLongConsumer<LockMachine> event) {
		LockQueue queue = this.queues.get(lock);
		if (queue != null) {
			queue.change(event);
		}
	}

	private String newAttemptId() {
		return this.store.instance() + ":" + Long.toString(this.attemptNumbers.incrementAndGet(), 36);
	}

	private void forget(LockAttempt attempt) {
		this.attempts.remove(attempt.id());
		onForgotten();
	}

	/** Carry out a command of a lock that is no call of the store about its attempts. */
	void carryOut(Command command, LockQueue queue) {
		if (command instanceof Command.Done done) {
			done.done().complete(null);
		}
		else if (command instanceof Command.Forget forget) {
			forget(forget.attempt());
		}
		else if (command instanceof Command.Abandon abandon) {
			this.abandoned.release(abandon.attempt(), abandon.answered(), abandon.keptUntilNanos());
			forget(abandon.attempt());
		}
		else if (command instanceof Command.Idle idle) {
			idle(queue, idle.idle());
		}
		else {
			this.notifier.carryOut(command);
		}
	}

	@Override
	public void granted(Grant grant) {
		Attempt attempt = this.attempts.get(grant.attempt().id());
		LockQueue queue = this.queues.get(grant.attempt().lock());
		if (attempt != null) {
			change(attempt, (machine, now) -> machine.granted(grant, now));
		}
		else if (queue == null || !isKept(grant.attempt(), queue)) {
			// nobody waits for it
			this.abandoned.release(grant.attempt(), true);
		}
	}

	/** Return whether a released attempt keeps the lock for a minimum hold time. */
	private static boolean isKept(LockAttempt attempt, LockQueue queue) {
		return queue.changes((machine, now) -> machine.isKept(attempt.id(), now));
	}

	@Override
	public void queuedBehind(String id) {
		Attempt attempt = this.attempts.get(id);
		if (attempt != null && attempt.queuedBehind()) {
			change(attempt, (machine, now) -> machine.recall(attempt, now));
		}
	}

	@Override
	public void sooner(String attempt, String lock) {
		change(lock, (machine, now) -> machine.sooner(attempt, now));
	}

	@Override
	public void released(String lock) {
		change(lock, LockMachine::releasedElsewhere);
	}

	@Override
	public void taken(String attempt) {
		take(attempt, RELEASED_BY_FORCE, false);
	}

	@Override
	public void expired(String attempt) {
		take(attempt, "the session of this instance has expired", true);
	}

	private void take(String attempt, String reason, boolean mayBeOurs) {
		change(this.attempts.get(attempt), (machine, now) -> machine.taken(attempt, reason, mayBeOurs, now));
	}

	@Override
	public void missed() {
		usedQueues().forEach((queue) -> queue.change(LockMachine::missed));
	}

	/** Return the queues of the attempts that wait or own a lock. */
	private List<LockQueue> usedQueues() {
		return this.attempts.values()
			.stream()
			.map((attempt) -> attempt.inStore().lock())
			.distinct()
			.flatMap((lock) -> Stream.ofNullable(this.queues.get(lock)))
			.toList();
	}

	// ---- shutdown

	void stop() {
		admitOnly(Admission.SECTIONS);
	}

	void takeAllAway(String reason) {
		admitOnly(Admission.STOPPED);
		this.notifier.stopping(true);
		Set<String> awaited = awaited();
		usedQueues()
			.forEach((queue) -> queue.change((machine, now) -> machine.takeAway(awaited::contains, reason, now)));
	}

	void resume() {
		this.notifier.stopping(false);
		admitOnly(Admission.ALL);
	}

	@Override
	public void close() {
		admitOnly(Admission.CLOSED);
		this.clock.close();
		this.store.close();
		this.notifier.close();
	}

	private void admitOnly(Admission next) {
		this.mutex.run(() -> {
			if (this.admission != Admission.CLOSED) {
				this.admission = next;
			}
		});
		if (this.admission != Admission.ALL) {
			this.queues.values()
				.forEach((queue) -> queue.change((machine, now) -> machine.dismiss(this::refusal, now)));
		}
	}

	/** Return why a caller is not admitted; {@code null} if the caller is admitted. */
	private @Nullable Outcome refusal(Waiter waiter) {
		return switch (this.admission) {
			case ALL -> null;
			case SECTIONS -> waiter.call().ofSection() ? null : STOPPING;
			case STOPPED -> STOPPING;
			case CLOSED -> CLOSED;
		};
	}

	/**
	 * Wait until no lock is held, except by holds of the start. The holds of the threads
	 * that stop the application are released: they would wait for themselves.
	 */
	boolean awaitNoneHeld(Duration timeout) {
		List<Holder> holders = holders();
		Thread current = Thread.currentThread();
		Set<Thread> stopping = holders.stream()
			.map(Holder::thread)
			.distinct()
			.filter((thread) -> stops(thread, current))
			.collect(Collectors.toSet());
		holders.stream()
			.filter((holder) -> stopping.contains(holder.thread()) && !isOfStart(holder))
			.forEach((holder) -> holder.handle().closeAsync());
		return await(() -> awaited().isEmpty(), timeout);
	}

	/** Return the attempts for whose end a shutdown waits. */
	private Set<String> awaited() {
		Set<String> awaited = new HashSet<>(this.attempts.keySet());
		if (this.starter != null && !awaited.isEmpty()) {
			Map<Boolean, Set<String>> ofStart = holders().stream()
				.collect(Collectors.partitioningBy(this::isOfStart,
						Collectors.mapping(Holder::owner, Collectors.toSet())));
			awaited.removeAll(ofStart.get(true));
			awaited.addAll(ofStart.get(false));
		}
		return awaited;
	}

	/** Return whether a thread stops the application, which is done by another thread. */
	private static boolean stops(Thread thread, Thread current) {
		return thread == current || Stream.of(thread.getStackTrace())
			.anyMatch((frame) -> "java.lang.Runtime".equals(frame.getClassName())
					&& "exit".equals(frame.getMethodName()));
	}

	private List<Holder> holders() {
		List<Holder> holders = new ArrayList<>();
		usedQueues().forEach((queue) -> queue.change((machine, now) -> machine.report(holders, new ArrayList<>())));
		return holders;
	}

	/** Note that this thread has started the application. */
	void started() {
		if (this.starter == null) {
			this.startedNanos = this.clock.nanoTime();
			this.starter = Thread.currentThread();
		}
	}

	/**
	 * Return whether a hold began before the application had started, on the thread that
	 * started it. No section is under way: a bean has kept the handle, and releases it
	 * when it is destroyed.
	 */
	private boolean isOfStart(Holder holder) {
		return holder.thread() == this.starter && holder.sinceNanos() - this.startedNanos < 0;
	}

	boolean awaitAllReleased(Duration timeout) {
		return await(() -> awaited().isEmpty() && this.abandoned.isEmpty(), timeout);
	}

	/** Wait for a condition, which is checked without the mutex. */
	private boolean await(BooleanSupplier condition, Duration timeout) {
		long leftNanos = TimeUnit.NANOSECONDS.convert(timeout);
		while (!condition.getAsBoolean()) {
			if (leftNanos <= 0) {
				return false;
			}
			long nanos = Math.min(leftNanos, CHECK_NANOS);
			this.mutex.lock();
			try {
				leftNanos -= nanos - this.attemptsForgotten.awaitNanos(nanos);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return condition.getAsBoolean();
			}
			finally {
				this.mutex.unlock();
			}
		}
		return true;
	}

	private void onForgotten() {
		if (this.admission != Admission.ALL) {
			this.mutex.run(this.attemptsForgotten::signalAll);
		}
	}

	/** Which callers are admitted. */
	private enum Admission {

		ALL, SECTIONS, STOPPED, CLOSED

	}

}
