package io.github.lockboot.benchmarks.work;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * The work of a job.
 */
interface Task {

	/**
	 * Run the task.
	 * @param numbers the numbers of the job
	 * @return the measurement
	 */
	Figures run(int... numbers);

}
