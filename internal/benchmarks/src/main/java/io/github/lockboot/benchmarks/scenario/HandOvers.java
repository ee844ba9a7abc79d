package io.github.lockboot.benchmarks.scenario;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Pause;
import io.github.lockboot.benchmarks.work.WorkerProcess;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Hands a lock over between two workers and takes the time.
 */
public final class HandOvers {

	/** Name of the median, in microseconds. */
	public static final String MEDIAN = "median";

	/** Name of the time within which 99 % were handed over, in microseconds. */
	public static final String P99 = "p99";

	/** The other JVM has asked for the lock by then, and the server has answered. */
	private static final int LEAST_HOLD_MILLIS = 10;

	private HandOvers() {
	}

	/**
	 * Measure.
	 * @param workers two workers
	 * @param varyingMillis by how much the time varies for which the lock is held: longer
	 * than a waiter pauses if it polls
	 */
	public static Figures measure(Workers workers, int count, int varyingMillis) {
		WorkerProcess holder = workers.processes().get(0);
		WorkerProcess waiter = workers.processes().get(1);
		holder.run(Job.ACQUIRE);
		double[] micros = new double[count];
		for (int i = 0; i < count; i++) {
			waiter.begin(Job.ACQUIRE);
			hold(varyingMillis);
			holder.begin(Job.RELEASE);
			double given = holder.end().get("nanos");
			micros[i] = (waiter.end().get("nanos") - given) / 1e3;
			WorkerProcess other = holder;
			holder = waiter;
			waiter = other;
		}
		holder.run(Job.RELEASE);
		Arrays.sort(micros);
		return Figures.of(MEDIAN, micros[count / 2]).and(P99, micros[(int) Math.ceil(count * 0.99) - 1]);
	}

	private static void hold(int varyingMillis) {
		int millis = LEAST_HOLD_MILLIS + ThreadLocalRandom.current().nextInt(varyingMillis);
		Pause.of(TimeUnit.MILLISECONDS.toNanos(millis));
	}

}
