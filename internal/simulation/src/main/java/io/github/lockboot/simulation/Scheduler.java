package io.github.lockboot.simulation;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The steps of a world in the order of their virtual times; the seed decides between
 * steps at the same time.
 */
final class Scheduler {

	private final PriorityQueue<Step> steps = new PriorityQueue<>();

	private final Seed ties;

	private long nowNanos = TimeUnit.SECONDS.toNanos(1);

	private boolean stopped;

	/** Runs after each step. */
	private Runnable observer = () -> {
	};

	Scheduler(Seed ties) {
		this.ties = ties;
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
		Step step = new Step(machine, Math.max(atNanos, this.nowNanos), this.ties.nextLong(), task);
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
		if (step.machine.pausedUntilNanos > step.atNanos) {
			step.atNanos = step.machine.pausedUntilNanos;
			this.steps.add(step);
			return;
		}
		this.nowNanos = step.atNanos;
		task.run();
		this.observer.run();
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

		Step(Machine machine, long atNanos, long tie, Runnable task) {
			this.machine = machine;
			this.atNanos = atNanos;
			this.tie = tie;
			this.task = task;
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

		private long lastNanos;

		Line(Machine machine) {
			this.machine = machine;
		}

		void add(long delayNanos, Runnable task) {
			this.lastNanos = Math.max(this.lastNanos, Scheduler.this.nowNanos + delayNanos);
			this.tasks.add(task);
			at(this.machine, this.lastNanos, this::runNext);
		}

		private void runNext() {
			Runnable task = this.tasks.poll();
			if (task != null) {
				task.run();
			}
		}

		void runAll() {
			while (!this.tasks.isEmpty()) {
				runNext();
			}
		}

		void clear() {
			this.tasks.clear();
		}

	}

}
