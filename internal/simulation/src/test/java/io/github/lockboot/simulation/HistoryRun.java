package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

/** Runs histories one after the other, as many at a time as there are processors. */
final class HistoryRun {

	/** How many are run even if the time has passed. */
	private static final long LEAST = 100;

	private final String name;

	private final LongFunction<History> histories;

	private final long last;

	private final long endNanos;

	private final AtomicLong number;

	private final AtomicLong count = new AtomicLong();

	private final AtomicLong commands = new AtomicLong();

	private HistoryRun(String name, LongFunction<History> histories, Duration length, long first, long last) {
		this.name = name;
		this.histories = histories;
		this.last = last;
		this.number = new AtomicLong(first - 1);
		this.endNanos = System.nanoTime() + length.toNanos();
	}

	/**
	 * Run histories until a time has passed.
	 * @param first the number of the first one
	 * @param last that of the last one, if there is time
	 */
	static void of(String name, LongFunction<History> histories, Duration length, long first, long last)
			throws Exception {
		long begin = System.nanoTime();
		HistoryRun run = new HistoryRun(name, histories, length, first, last);
		int processors = Runtime.getRuntime().availableProcessors();
		ExecutorService threads = Executors.newFixedThreadPool(processors);
		CompletionService<Boolean> ends = new ExecutorCompletionService<>(threads);
		try {
			for (int i = 0; i < processors; i++) {
				ends.submit(run::run, true);
			}
			for (int i = 0; i < processors; i++) {
				ends.take().get(); // the first failure is the end of all
			}
		}
		finally {
			threads.shutdownNow();
		}
		System.out.println("Simulation: " + run.count + " " + name + " without a violation, " + run.commands
				+ " commands, " + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
	}

	private void run() {
		try (Simulation simulation = new Simulation(UnaryOperator.identity())) {
			while ((System.nanoTime() - this.endNanos < 0 || this.count.get() < LEAST)
					&& !Thread.currentThread().isInterrupted()) {
				long next = this.number.incrementAndGet();
				if (next > this.last) {
					return;
				}
				Outcome outcome = simulation.run(this.histories.apply(next), false);
				this.count.incrementAndGet();
				this.commands.addAndGet(outcome.commands());
				if (outcome.violation() != null) {
					throw new AssertionError(
							this.name + ", number " + next + "\n" + simulation.story(this.histories.apply(next)));
				}
			}
		}
	}

}
