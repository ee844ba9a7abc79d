package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.ApplicationObjectSupport;

import io.github.lockboot.Internal;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.aop.MethodBody;

/**
 * The runs that begin later in this instance. Each waits for its lock, together with
 * those of other instances, and the first that acquires the lock runs the method. No
 * thread waits. Runs that have not begun when the application stops are left to other
 * instances. Thread-safe.
 */
@Internal
public final class Reruns extends ApplicationObjectSupport
		implements ApplicationListener<ContextClosedEvent>, AutoCloseable {

	private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

	/** How long a run waits on its thread, after it has waited without a thread. */
	private static final Duration TURN = Duration.ofSeconds(2);

	private static final long RETRY_MILLIS = 1000;

	private final Executor executor;

	private final ScheduledThreadPoolExecutor timer;

	private final Map<String, Object> periodic = new ConcurrentHashMap<>();

	private final Map<RerunRecord, Rerun> waiting = new ConcurrentHashMap<>();

	/** Whether the executor has rejected the last run. */
	private volatile boolean rejecting;

	private final AtomicBoolean warned = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Create the runs.
	 * @param executor where methods run
	 */
	Reruns(Executor executor) {
		this.executor = executor;
		this.timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "lock-rerun");
			thread.setDaemon(true);
			return thread;
		});
		this.timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
	}

	/** Run a task periodically, unless a task of the name does. */
	void every(Duration period, String name, Runnable task) {
		this.periodic.computeIfAbsent(name, (first) -> this.timer.scheduleWithFixedDelay(task, period.toMillis(),
				period.toMillis(), TimeUnit.MILLISECONDS));
	}

	/**
	 * Run a method once its lock is free, if the record or the last of the calls still
	 * wants a run then.
	 * @param lock the lock of the method
	 * @param run calls the method, which takes the record
	 * @param skipped whether a call of this instance was skipped
	 * @param begun id of the last run that had begun before that call
	 */
	void await(RerunRecord record, LockRequest lock, MethodBody run, boolean skipped, @Nullable String begun) {
		boolean[] first = new boolean[1];
		Rerun rerun = this.waiting.compute(record, (key, present) -> {
			first[0] = present == null;
			Rerun same = (present != null) ? present : new Rerun(record, lock, run);
			same.calls++;
			if (skipped) {
				same.run = run;
				same.skipped = true;
				same.begun = begun;
			}
			return same;
		});
		if (first[0]) {
			rerun.start();
		}
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		// a child context publishes its events here, too
		if (event.getApplicationContext() == getApplicationContext()) {
			close();
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.timer.shutdownNow();
		this.waiting.values().forEach((rerun) -> rerun.acquisition.cancel(false));
	}

	/** One run that begins later, at most one at a time for each lock. */
	private final class Rerun {

		private final RerunRecord record;

		private final LockRequest lock;

		private volatile MethodBody run;

		private volatile boolean skipped;

		private volatile @Nullable String begun;

		private volatile int calls;

		private volatile CompletableFuture<?> acquisition = CompletableFuture.completedFuture(null);

		/** Id of the record for which the method was called but did not begin. */
		private volatile @Nullable String refused;

		private Rerun(RerunRecord record, LockRequest lock, MethodBody run) {
			this.record = record;
			this.lock = lock;
			this.run = run;
		}

		/** Wait until the lock is free. */
		private void start() {
			LockRequest free = this.lock.waitTime(UNLIMITED).maxWaiting(0).minHoldTime(null);
			CompletableFuture<LockHandle> acquisition = this.record.locks().acquireAsync(free).toCompletableFuture();
			this.acquisition = acquisition;
			acquisition.whenComplete((lock, failure) -> {
				if (lock != null) {
					lock.closeAsync().whenComplete((done, none) -> dispatch());
				}
				else {
					startLater();
				}
			});
			if (Reruns.this.closed) {
				acquisition.cancel(false);
			}
		}

		/** Run the method on the executor, or wait again if it rejects the run. */
		private void dispatch() {
			try {
				Reruns.this.executor.execute(this::runIfWanted);
				Reruns.this.rejecting = false;
			}
			catch (RuntimeException ex) { // also of what decorates tasks
				if (!Reruns.this.rejecting) {
					logger.warn("A run has to wait, because the executor rejects it: " + this.record.name(), ex);
				}
				Reruns.this.rejecting = true;
				startLater();
			}
		}

		private void startLater() {
			Reruns.this.timer.schedule(this::start, RETRY_MILLIS, TimeUnit.MILLISECONDS);
		}

		private void runIfWanted() {
			if (Reruns.this.closed) {
				return;
			}
			int known = this.calls;
			try {
				if (isWanted()) {
					this.record.locks().execute(this.lock.waitTime(TURN), this::runUnderLock);
				}
				String next = this.record.wanted();
				if (isOver(next, known)) {
					return;
				}
				start();
			}
			catch (RuntimeException ex) {
				logger.debug("The next run of " + this.record.name() + " has to wait", ex);
				startLater();
			}
		}

		/** Forget this run, unless there is more to do. */
		private boolean isOver(@Nullable String next, int known) {
			boolean done = next == null || next.equals(this.refused);
			return done && Reruns.this.waiting.computeIfPresent(this.record,
					(key, same) -> (same.calls == known) ? null : same) == null;
		}

		private void runUnderLock() {
			String wanted = isWanted() ? this.record.wanted() : null;
			if (wanted == null) {
				return;
			}
			try {
				this.run.proceed();
			}
			catch (Throwable ex) {
				logger.error("The run of " + this.record.name() + " for calls that found its lock busy has failed", ex);
			}
			if (wanted.equals(this.record.wanted())) {
				this.refused = wanted;
			}
			if (this.refused != null && Reruns.this.warned.compareAndSet(false, true)) {
				logger.warn("The run of " + this.record.name() + " for calls that found its lock busy was refused by"
						+ " another advice, and is left to other instances. This warning is logged once");
			}
		}

		/**
		 * Return whether a run has to begin. If the record is gone, either a run has
		 * begun since the last call was skipped, or the store has lost the record, which
		 * is then written again.
		 */
		private boolean isWanted() {
			if (this.record.wanted() != null) {
				return true;
			}
			String last = this.skipped ? this.record.begun() : "";
			if (last != null && !Objects.equals(last, this.begun)) {
				return false;
			}
			this.record.want();
			return true;
		}

	}

}
