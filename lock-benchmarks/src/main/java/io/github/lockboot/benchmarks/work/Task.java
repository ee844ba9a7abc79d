package io.github.lockboot.benchmarks.work;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * The work that a job stands for.
 */
interface Task {

	/**
	 * Run the task.
	 * @param numbers the numbers of the job
	 * @return the measurement
	 */
	Figures run(int... numbers);

}
