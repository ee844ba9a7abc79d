package io.github.lockboot.benchmarks.work;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * What a worker can be told to do.
 */
interface Task {

	/**
	 * Do it.
	 * @param numbers how many, how long
	 * @return what was measured
	 */
	Figures run(int... numbers);

}
