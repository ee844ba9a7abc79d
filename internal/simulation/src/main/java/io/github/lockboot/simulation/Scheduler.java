package io.github.lockboot.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The steps of a world in the order of their virtual times; the seed decides between
 * steps at the same time. A {@link Search} chooses the order instead.
 */
final class Scheduler {

	/** Far more than any history has. */
	private static final long MOST_STEPS = 1_000_000;

	private final PriorityQueue<Step> steps = new PriorityQueue<>();

	private final Seed ties;

	private long nowNanos;

	private long numbers;

	private long run;

	private boolean stopped;

	/** Runs after each step. */
	private Runnable observer = () -> {
	};

	Scheduler(Seed ties) {
		this(ties, TimeUnit.SECONDS.toNanos(1));
	}

	Scheduler(Seed ties, long nowNanos) {
		this.ties = ties;
		this.nowNanos = nowNanos;
	}

	void observe(Runnable observer) {
		this.observer = observer;
	}

	long nowNanos() {
		return this.nowNanos;
	}

	Step after(Machine machine, long delayNanos, Runnable task) {
		return at(machine, this.nowNanos + delayNanos, task);
	}

	Step at(Machine machine, long atNanos, Runnable task) {
		return at(machine, atNanos, task, (atNanos - this.nowNanos > 0) ? Kind.TIMER : Kind.THREAD, machine);
	}

	/** Let a user do something, after a time that a search chooses. */
	Step byUser(Machine machine, long delayNanos, Runnable task) {
		return at(machine, this.nowNanos + delayNanos, task, Kind.USER, task);
	}

	private Step at(Machine machine, long atNanos, Runnable task, Kind kind, Object line) {
		Step step = new Step(machine, Math.max(atNanos, this.nowNanos), this.ties.nextLong(), task, kind, line,
				this.numbers++);
		this.steps.add(step);
		return step;
	}

	/** Runs all steps up to a time. */
	void runUntil(long nanos) {
		while (!this.stopped && !this.steps.isEmpty() && this.steps.element().atNanos <= nanos) {
			runNext();
		}
		this.nowNanos = Math.max(this.nowNanos, nanos);
	}

	/** From now on runs no step. */
	void stop() {
		this.stopped = true;
	}

	private void runNext() {
		Step step = this.steps.remove();
		Runnable task = step.task;
		if (task == null || step.machine.dead) {
			return;
		}
		if (step.machine.pausedUntilNanos > Math.max(step.atNanos, this.nowNanos)) {
			step.atNanos = step.machine.pausedUntilNanos;
			this.steps.add(step);
			return;
		}
		this.nowNanos = Math.max(this.nowNanos, step.atNanos);
		Assert.state(++this.run < MOST_STEPS, "The world does not come to rest");
		task.run();
		this.observer.run();
	}

	// ---- for a search

	/** Runs a step that may come next, and what the threads of its JVM do then. */
	void run(@Nullable Step chosen) {
		if (chosen != null) {
			runNow(chosen);
		}
		for (Step thread = thread(); thread != null && !this.stopped; thread = thread()) {
			runNow(thread);
		}
	}

	private void runNow(Step step) {
		this.steps.remove(step);
		Runnable task = step.task;
		if (task != null) {
			task.run();
			this.observer.run();
		}
	}

	private @Nullable Step thread() {
		return this.steps.stream()
			.filter((step) -> step.kind == Kind.THREAD && isEnabled(step))
			.min(Comparator.comparingLong((step) -> step.number))
			.orElse(null);
	}

	private boolean isEnabled(Step step) {
		return step.task != null && !step.machine.dead && step.machine.hasRunSince(this.nowNanos)
				&& (step.kind != Kind.TIMER || step.atNanos <= this.nowNanos);
	}

	/**
	 * Return the steps that may come next, whatever their times: the first packet of each
	 * connection, the first timer of each machine that is due, and what users do.
	 */
	List<Step> enabled() {
		Set<Object> lines = Collections.newSetFromMap(new IdentityHashMap<>());
		List<Step> enabled = new ArrayList<>();
		this.steps.stream()
			.filter((step) -> step.kind != Kind.THREAD && isEnabled(step))
			.sorted(Comparator.comparingLong((Step step) -> (step.kind == Kind.TIMER) ? step.atNanos : 0)
				.thenComparingLong((step) -> step.number))
			.filter((step) -> lines.add(step.line))
			.forEach(enabled::add);
		return enabled;
	}

	/** Return when the next timer is due, or the next pause ends. */
	long nextNanos() {
		return this.steps.stream()
			.filter((step) -> step.task != null && !step.machine.dead)
			.filter((step) -> step.kind == Kind.TIMER || !step.machine.hasRunSince(this.nowNanos))
			.mapToLong((step) -> Math.max((step.kind == Kind.TIMER) ? step.atNanos : 0, step.machine.pausedUntilNanos))
			.filter((nanos) -> nanos > this.nowNanos)
			.min()
			.orElse(this.nowNanos);
	}

	/** Let time pass. */
	void pass(long nanos) {
		this.nowNanos = nanos;
	}

	/** Return the steps to come, in the order in which they were added. */
	List<Step> pending() {
		return this.steps.stream()
			.filter((step) -> step.task != null && !step.machine.dead)
			.sorted(Comparator.comparingLong((step) -> step.number))
			.toList();
	}

	/** What decides when a step runs. */
	enum Kind {

		THREAD, TIMER, PACKET, USER

	}

	/** A computer that may pause or die, with all its steps. */
	static final class Machine {

		private long pausedUntilNanos;

		private boolean dead;

		void pauseUntil(long nanos) {
			this.pausedUntilNanos = Math.max(this.pausedUntilNanos, nanos);
		}

		boolean hasRunSince(long nanos) {
			return this.pausedUntilNanos <= nanos;
		}

		void die() {
			this.dead = true;
		}

		boolean isDead() {
			return this.dead;
		}

	}

	/** A task at a time. */
	static final class Step implements Comparable<Step> {

		private final Machine machine;

		private long atNanos;

		private final long tie;

		private @Nullable Runnable task;

		private final Kind kind;

		/** Of steps of which the first one comes first. */
		private final Object line;

		private final long number;

		Step(Machine machine, long atNanos, long tie, Runnable task, Kind kind, Object line, long number) {
			this.machine = machine;
			this.atNanos = atNanos;
			this.tie = tie;
			this.task = task;
			this.kind = kind;
			this.line = line;
			this.number = number;
		}

		Kind kind() {
			return this.kind;
		}

		Object line() {
			return this.line;
		}

		void cancel() {
			this.task = null;
		}

		@Override
		public int compareTo(Step other) {
			return (this.atNanos != other.atNanos) ? Long.compare(this.atNanos, other.atNanos)
					: Long.compare(this.tie, other.tie);
		}

	}

	/** Steps of one machine that keep their order, as of one thread or one socket. */
	final class Line {

		private final Machine machine;

		private final Queue<Runnable> tasks = new ArrayDeque<>();

		private final Kind kind;

		private long lastNanos;

		/** How often its tasks were dropped, or delayed. */
		private int clearings;

		Line(Machine machine, Kind kind) {
			this.machine = machine;
			this.kind = kind;
		}

		void add(long delayNanos, Runnable task) {
			this.lastNanos = Math.max(this.lastNanos, Scheduler.this.nowNanos + delayNanos);
			this.tasks.add(task);
			int clearings = this.clearings;
			at(this.machine, this.lastNanos, () -> {
				if (clearings == this.clearings) {
					runNext();
				}
			}, this.kind, this);
		}

		private void runNext() {
			Runnable task = this.tasks.poll();
			if (task != null) {
				task.run();
			}
		}

		boolean isEmpty() {
			return this.tasks.isEmpty();
		}

		void runAll() {
			while (!this.tasks.isEmpty()) {
				runNext();
			}
		}

		void clear() {
			this.tasks.clear();
			this.clearings++;
		}

		/** All that is under way takes longer. */
		void delay(long nanos) {
			List<Runnable> late = List.copyOf(this.tasks);
			clear();
			late.forEach((task) -> add(nanos, task));
		}

	}

}
