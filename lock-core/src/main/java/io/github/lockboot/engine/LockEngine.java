package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.Mutex;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.AbandonedAttempts;
import io.github.lockboot.engine.store.FencingTokens;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * The locks of one store in this JVM. The engine passes callers to the queues of their
 * locks, and pushes of the store to the queues of the attempts. Thread-safe.
 */
final class LockEngine implements LockPushes, AutoCloseable {

	/** The number of unused locks that are remembered. */
	private static final int MEMORIES = 4096;

	/** The number of idle locks that are retained; each is renewed all the time. */
	private static final int MOST_IDLE = 500;

	private static final int FEWEST_KEPT = 64;

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

	private final QueuedAttempts queuedAttempts;

	private final FencingTokens fencingTokens;

	private final ConcurrentMap<String, LockQueue> exclusiveQueues = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, LockQueue> sharedQueues = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, LockQueue> queuesByAttempt = new ConcurrentHashMap<>();

	/**
	 * What is known about the most recently used locks: the highest token seen of each
	 * lock, with which tokens keep growing even after a fail-over to a store that lost
	 * the last tokens and whose clock is behind.
	 */
	private final Map<String, LockMemory> memories = Collections.synchronizedMap(new LinkedHashMap<>(64, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, LockMemory> eldest) {
			return size() > MEMORIES;
		}

	});

	/** The queues of retained locks, idle for longest first; guarded by the mutex. */
	private final Set<LockQueue> idleQueues = new LinkedHashSet<>();

	/** Released attempts whose locks stay held until a time, for a minimum hold time. */
	private final Map<String, Long> kept = new ConcurrentHashMap<>();

	/** How many of them there may be before those whose time is over are forgotten. */
	private volatile int mostKept = FEWEST_KEPT;

	private final Waiter.Counts waiting;

	private final AtomicLong attemptNumbers = new AtomicLong();

	private final Mutex mutex = new Mutex();

	private final Condition attemptsForgotten = this.mutex.newCondition();

	private volatile Admission admission = Admission.ALL;

	private volatile long startedNanos;

	private volatile @Nullable Thread starter;

	LockEngine(LockStore store, MonotonicClock clock, List<LockListener> listeners) {
		this.store = store;
		this.clock = clock;
		this.waiting = new Waiter.Counts(clock);
		this.notifier = new LockNotifier(clock, listeners);
		this.abandoned = new AbandonedAttempts(store, clock, this::onForgotten);
		this.queuedAttempts = new QueuedAttempts(store, clock);
		this.fencingTokens = new FencingTokens(store.traits().tokens(), store.instance());
		listen();
		clock.onSuspended(() -> queuesWithAttempts().forEach((queue) -> queue.revalidate(Renewals.NOT_KNOWN)));
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

	QueuedAttempts queuedAttempts() {
		return this.queuedAttempts;
	}

	FencingTokens fencingTokens() {
		return this.fencingTokens;
	}

	/** Return the activity of the queue of an attempt, or of all queues. */
	LockActivity activity(@Nullable String attempt) {
		List<Hold> holds = new ArrayList<>();
		List<Waiter> waiters = new ArrayList<>();
		LockQueue only = (attempt != null) ? this.queuesByAttempt.get(attempt) : null;
		if (only != null) {
			only.report(holds, waiters);
		}
		else if (attempt == null) {
			forEachQueue((queue) -> queue.report(holds, waiters));
		}
		return this.notifier.activity().report(holds, waiters);
	}

	/** Return how many attempts there were. */
	long attempts() {
		return this.attemptNumbers.get();
	}

	/** Return whether there is an attempt that waits or owns a lock. */
	boolean isAttempting() {
		return !this.queuesByAttempt.isEmpty();
	}

	/**
	 * Release a lock by force. This JVM checks whether it was the owner, because the push
	 * about that may have been missed.
	 */
	CompletionStage<Boolean> forceRelease(String lock) {
		return store().forceRelease(lock).thenApply((released) -> {
			forEachQueue((queue) -> {
				if (queue.lock().equals(lock)) {
					queue.revalidate(RELEASED_BY_FORCE);
				}
			});
			return released;
		});
	}

	/**
	 * Acquire and release a lock whose name no request can have. The lock may be busy
	 * with the probe of another instance.
	 */
	CompletionStage<?> probe() {
		LockAttempt attempt = new LockAttempt(PROBE, newAttemptId(), PROBE_LEASE_MILLIS, 1);
		return this.store.acquire(attempt, 0, LockStore.Queueing.NO).whenComplete((reply, failure) -> {
			if (failure != null && !this.store.isRefusal(StageFailure.cause(failure))) {
				this.abandoned.release(attempt, false);
			}
		})
			.thenCompose((reply) -> (reply instanceof LockStore.AcquireReply.Owned owned)
					? this.store.release(attempt, owned.token()) : CompletableFuture.completedStage(null));
	}

	// ---- callers

	/** Pass a caller to the queue of its lock. */
	LockQueue submit(Waiter waiter) {
		Outcome refusal = refusal(waiter);
		refusal = (refusal != null) ? refusal : this.waiting.add(waiter);
		if (refusal != null) {
			waiter.complete(refusal);
			return newQueue(waiter);
		}
		LockQueue queue = admit(waiter);
		// since then, and perhaps without this queue
		if (this.admission != Admission.ALL) {
			queue.dismiss(this::refusal);
		}
		return queue;
	}

	private LockQueue admit(Waiter waiter) {
		if (waiter.isAlone()) {
			LockQueue queue = newQueue(waiter);
			releaseRetainedFor(waiter);
			admit(waiter, queue);
			return queue;
		}
		if (waiter.request().isShared()) {
			releaseRetainedFor(waiter);
		}
		ConcurrentMap<String, LockQueue> queues = waiter.request().isShared() ? this.sharedQueues
				: this.exclusiveQueues;
		while (true) {
			LockQueue queue = queues.computeIfAbsent(waiter.request().name(), (name) -> newQueue(waiter));
			if (admit(waiter, queue)) {
				return queue;
			}
		}
	}

	/** Whatever the request throws, its caller must not stay in the queue. */
	private static boolean admit(Waiter waiter, LockQueue queue) {
		try {
			return queue.admit(waiter);
		}
		catch (RuntimeException | Error ex) {
			queue.leave(waiter);
			throw ex;
		}
	}

	/**
	 * Release a retained lock that would block one of our own attempts.
	 */
	private void releaseRetainedFor(Waiter waiter) {
		LockQueue queue = this.exclusiveQueues.get(waiter.request().name());
		if (queue != null) {
			queue.releaseRetained();
		}
	}

	private LockQueue newQueue(Waiter first) {
		String lock = first.request().name();
		return new LockQueue(this, lock, first.request().permits(), first.isAlone(), this.memories.computeIfAbsent(lock,
				(name) -> new LockMemory(this.store.traits().waiting() == StoreTraits.Waiting.POLLING)));
	}

	/**
	 * Pass no more callers to a queue, but remember what the queue knows about the lock.
	 */
	void remove(LockQueue queue, LockMemory memory) {
		this.memories.merge(queue.lock(), memory, LockMemory::merge);
		this.exclusiveQueues.remove(queue.lock(), queue);
		this.sharedQueues.remove(queue.lock(), queue);
	}

	/**
	 * Note that a retained lock is idle now, or no longer. If too many locks are idle,
	 * return the queue of the one that has been idle for longest.
	 */
	@Nullable LockQueue idle(LockQueue queue, boolean idle) {
		return this.mutex.get(() -> {
			if (!idle) {
				this.idleQueues.remove(queue);
				return null;
			}
			this.idleQueues.add(queue);
			return (this.idleQueues.size() > MOST_IDLE) ? this.idleQueues.iterator().next() : null;
		});
	}

	/** Return whether all callers are admitted. */
	boolean isOpen() {
		return this.admission == Admission.ALL;
	}

	// ---- attempts

	/**
	 * Create an attempt. Pushes for the attempt reach the queue until the attempt is
	 * forgotten.
	 */
	LockAttempt newAttempt(LockQueue queue, Waiter first) {
		String id = newAttemptId();
		this.queuesByAttempt.put(id, queue);
		return new LockAttempt(queue.lock(), id, first.leaseMillis(), queue.permits(), first.call().thread().getName(),
				first.request().reason());
	}

	private String newAttemptId() {
		return this.store.instance() + ":" + Long.toString(this.attemptNumbers.incrementAndGet(), 36);
	}

	void forget(LockAttempt attempt) {
		this.queuesByAttempt.remove(attempt.id());
		onForgotten();
	}

	/**
	 * Let an attempt keep its lock until a time although it was released. Neither a late
	 * grant of the lock nor a repeated release must end this time.
	 */
	void keep(LockAttempt attempt, long untilNanos) {
		this.kept.put(attempt.id(), untilNanos);
		if (this.kept.size() > this.mostKept) {
			long now = this.clock.nanoTime();
			this.kept.values().removeIf((until) -> until - now <= 0);
			this.mostKept = Math.max(FEWEST_KEPT, 2 * this.kept.size());
		}
	}

	/** Return whether a queue has an attempt that waits or owns the lock. */
	boolean isKnown(LockAttempt attempt) {
		return this.queuesByAttempt.containsKey(attempt.id());
	}

	/**
	 * Release, in the background, an attempt that may own the lock or wait for it.
	 * @param answered whether the store has replied to the last request of the attempt
	 */
	void abandon(LockAttempt attempt, boolean answered) {
		Long keptUntilNanos = this.kept.get(attempt.id());
		this.abandoned.release(attempt, answered, (keptUntilNanos != null) ? keptUntilNanos : this.clock.nanoTime());
		forget(attempt);
	}

	/** Release, in the background, the attempt of a lease that may be owned. */
	void abandon(Lease lease) {
		abandon(lease.attempt(), !lease.isMaybeTakenLate());
	}

	@Override
	public void granted(Grant grant) {
		LockQueue queue = this.queuesByAttempt.get(grant.attempt().id());
		if (queue != null) {
			queue.granted(grant);
		}
		else if (!isKept(grant.attempt())) { // nobody waits for it any more
			this.abandoned.release(grant.attempt(), true);
		}
	}

	private boolean isKept(LockAttempt attempt) {
		Long untilNanos = this.kept.get(attempt.id());
		return untilNanos != null && untilNanos - this.clock.nanoTime() > 0;
	}

	@Override
	public void queuedBehind(String attempt) {
		LockQueue queue = this.queuesByAttempt.get(attempt);
		if (queue != null) {
			queue.queuedBehind(attempt);
		}
	}

	@Override
	public void sooner(String attempt) {
		LockQueue queue = this.queuesByAttempt.get(attempt);
		if (queue != null) {
			queue.releasedElsewhere();
		}
	}

	/**
	 * Note that nobody waits for a lock that a former queue has released.
	 * @param pausing whether the lock was to stay free for others
	 */
	void noteNobodyWaited(String lock, boolean pausing) {
		LockQueue queue = this.exclusiveQueues.get(lock);
		if (queue != null) {
			queue.noteNobodyWaitedBefore(pausing);
		}
	}

	@Override
	public void released(String lock) {
		List<LockQueue> queues = this.queuesByAttempt.values()
			.stream()
			.filter((queue) -> queue.lock().equals(lock))
			.distinct()
			.toList();
		queues.forEach(LockQueue::releasedElsewhere);
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
		LockQueue queue = this.queuesByAttempt.get(attempt);
		if (queue != null) {
			queue.taken(attempt, reason, mayBeOurs);
		}
	}

	@Override
	public void missed() {
		queuesWithAttempts().forEach(LockQueue::missed);
	}

	/**
	 * Return the queues in the order of their attempts, because the first request
	 * acquires a free lock.
	 */
	private List<LockQueue> queuesWithAttempts() {
		return this.queuesByAttempt.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey(QueuedAttempts.BY_NUMBER))
			.map(Map.Entry::getValue)
			.distinct()
			.toList();
	}

	private void forEachQueue(Consumer<LockQueue> action) {
		Stream.of(this.exclusiveQueues, this.sharedQueues, this.queuesByAttempt)
			.flatMap((queues) -> queues.values().stream())
			.distinct()
			.toList()
			.forEach(action);
	}

	// ---- shutdown

	void stop() {
		admitOnly(Admission.SECTIONS);
	}

	void takeAllAway(String reason) {
		admitOnly(Admission.STOPPED);
		this.notifier.stopping(true);
		Set<String> awaited = awaited();
		this.queuesByAttempt.forEach((attempt, queue) -> {
			if (awaited.contains(attempt)) {
				queue.takeAway(reason);
			}
		});
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
			forEachQueue((queue) -> queue.dismiss(this::refusal));
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
		List<Hold> holds = holds();
		Thread current = Thread.currentThread();
		Set<Thread> stopping = holds.stream()
			.map(Hold::thread)
			.distinct()
			.filter((thread) -> stops(thread, current))
			.collect(Collectors.toSet());
		holds.stream().filter((hold) -> stopping.contains(hold.thread()) && !isOfStart(hold)).forEach(Hold::closeAsync);
		return await(() -> awaited().isEmpty(), timeout);
	}

	/** Return the attempts for whose end a shutdown waits. */
	private Set<String> awaited() {
		Set<String> awaited = new HashSet<>(this.queuesByAttempt.keySet());
		if (this.starter != null && !awaited.isEmpty()) {
			Map<Boolean, Set<String>> ofStart = holds().stream()
				.collect(Collectors.partitioningBy(this::isOfStart,
						Collectors.mapping(Hold::owner, Collectors.toSet())));
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

	private List<Hold> holds() {
		List<Hold> holds = new ArrayList<>();
		this.queuesByAttempt.values().forEach((queue) -> queue.report(holds, new ArrayList<>()));
		return holds;
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
	private boolean isOfStart(Hold hold) {
		return hold.thread() == this.starter && hold.sinceNanos() - this.startedNanos < 0;
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
