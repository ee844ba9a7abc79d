package io.github.lockboot.benchmarks.work;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * The work of a job.
 */
interface Task {

	/** Run the task. */
	Figures run(int... numbers);

}
