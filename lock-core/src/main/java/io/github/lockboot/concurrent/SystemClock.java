package io.github.lockboot.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The clock of the JVM, with one daemon thread for any number of timers. A heartbeat
 * compares the clock with the wall clock to detect that the machine was suspended.
 * <p>
 * Timers for the same nanosecond, such as the next renewals of many locks, share an entry
 * of the queue. This makes them cheaper than those of a
 * {@link java.util.concurrent.ScheduledExecutorService}, and one object each.
 * <p>
 * Most timers are cancelled long before their time. A timer that is the earliest of all
 * wakes the thread when it is scheduled, which costs more than the rest of an uncontended
 * acquisition; the heartbeat, which is always due sooner, prevents that.
 */
@Internal
public final class SystemClock implements MonotonicClock {

	private static final Log logger = LogFactory.getLog(SystemClock.class);

	private static final long HEARTBEAT_MILLIS = 200;

	/** The wall clock may be adjusted by less than this between two heartbeats. */
	private static final long SUSPENDED_MILLIS = 1000;

	private final Thread thread;

	private final LongSupplier wallMillis;

	private final List<Runnable> suspensionTasks = new CopyOnWriteArrayList<>();

	private final Mutex mutex = new Mutex();

	private final Condition earlier = this.mutex.newCondition();

	/** The first task of each time; guarded by the mutex. */
	private final NavigableMap<Long, Task> tasks = new TreeMap<>((one, other) -> Long.signum(one - other));

	private volatile boolean closed;

	/** How far the wall clock was ahead when the clocks were last compared. */
	private volatile long aheadMillis;

	/** When it was last noticed that the machine was suspended; or the start. */
	private volatile long suspendedNanos = nanoTime();

	/** Whether the registered tasks have to run. */
	private final AtomicBoolean noticed = new AtomicBoolean();

	/** Start the clock, with a name for its thread. */
	public SystemClock(String threadName) {
		this(threadName, System::currentTimeMillis);
	}

	/** Start the clock, with the wall clock that it compares itself with. */
	public SystemClock(String threadName, LongSupplier wallMillis) {
		this.wallMillis = wallMillis;
		this.aheadMillis = aheadMillis();
		this.thread = new DaemonThreads(threadName).newThread(this::runTasks);
		scheduleBeat();
		this.thread.start();
	}

	private void scheduleBeat() {
		schedule(nanoTime() + TimeUnit.MILLISECONDS.toNanos(HEARTBEAT_MILLIS), () -> {
			scheduleBeat();
			beat();
		});
	}

	private void beat() {
		compare();
		if (this.noticed.getAndSet(false)) {
			this.suspensionTasks.forEach(this::run);
		}
	}

	/** Compare the clocks. What is sent from now on is sent after a suspension. */
	private void compare() {
		long aheadMillis = aheadMillis();
		if (aheadMillis - this.aheadMillis > SUSPENDED_MILLIS) {
			this.suspendedNanos = nanoTime();
			this.noticed.set(true);
		}
		this.aheadMillis = aheadMillis; // last, because others may read it
	}

	@Override
	public boolean wasSuspendedSince(long nanos) {
		if (aheadMillis() - this.aheadMillis > SUSPENDED_MILLIS) {
			compare();
		}
		return nanos - this.suspendedNanos < 0;
	}

	private long aheadMillis() {
		return this.wallMillis.getAsLong() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
	}

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public Timer schedule(long atNanos, Runnable task) {
		Task scheduled = new Task(this, atNanos, task);
		this.mutex.lock();
		try {
			if (!this.closed) {
				scheduled.enter(this.tasks.putIfAbsent(atNanos, scheduled));
				if (this.tasks.firstEntry().getValue() == scheduled) {
					this.earlier.signal();
				}
			}
		}
		finally {
			this.mutex.unlock();
		}
		return scheduled;
	}

	private void runTasks() {
		while (!this.closed) {
			for (Task task : awaitDue()) {
				if (!task.cancelled && !this.closed) {
					run(task.task);
				}
			}
		}
	}

	/** Wait for the time of the next tasks, and return the tasks. */
	private List<Task> awaitDue() {
		List<Task> due = new ArrayList<>();
		this.mutex.lock();
		try {
			while (due.isEmpty() && !this.closed) {
				Task first = this.tasks.firstEntry().getValue(); // at least the heartbeat
				long leftNanos = first.atNanos - nanoTime();
				if (leftNanos > 0) {
					this.earlier.awaitNanos(leftNanos);
				}
				else {
					this.tasks.pollFirstEntry();
					first.leaveAll(due);
				}
			}
		}
		catch (InterruptedException ex) {
			// by a task, perhaps
		}
		finally {
			this.mutex.unlock();
		}
		return due;
	}

	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) { // of Kotlin, also a checked one
			logger.error("A timer of thread '" + this.thread.getName() + "' failed", ex);
		}
	}

	@Override
	public void onSuspended(Runnable task) {
		this.suspensionTasks.add(task);
	}

	@Override
	public void close() {
		this.mutex.run(() -> {
			this.closed = true;
			this.tasks.clear();
			this.earlier.signal();
		});
	}

	/** A task in a ring of all tasks of its time; changed under the mutex. */
	private static final class Task implements Timer {

		private final SystemClock clock;

		private final long atNanos;

		private final Runnable task;

		private Task next = this;

		private Task previous = this;

		/** Whether the task waits for its time. */
		private boolean waiting;

		private volatile boolean cancelled;

		Task(SystemClock clock, long atNanos, Runnable task) {
			this.clock = clock;
			this.atNanos = atNanos;
			this.task = task;
		}

		/** Wait behind the other tasks of the same time, of which this is the first. */
		void enter(@Nullable Task first) {
			this.waiting = true;
			if (first != null) {
				this.next = first;
				this.previous = first.previous;
				this.previous.next = this;
				first.previous = this;
			}
		}

		/** Add this task and all that wait behind it to a list. */
		void leaveAll(List<Task> due) {
			Task each = this;
			do {
				each.waiting = false;
				due.add(each);
				each = each.next;
			}
			while (each != this);
		}

		@Override
		public void cancel() {
			this.cancelled = true;
			this.clock.mutex.lock();
			try {
				if (this.waiting) {
					this.waiting = false;
					leave(this.clock.tasks);
				}
			}
			finally {
				this.clock.mutex.unlock();
			}
		}

		private void leave(NavigableMap<Long, Task> tasks) {
			if (this.next == this) {
				tasks.remove(this.atNanos);
				return;
			}
			this.previous.next = this.next;
			this.next.previous = this.previous;
			tasks.replace(this.atNanos, this, this.next);
		}

	}

}
