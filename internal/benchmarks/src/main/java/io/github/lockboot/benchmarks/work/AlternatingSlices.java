package io.github.lockboot.benchmarks.work;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * Runs the tasks of two peers of one JVM in turn, in short slices, and compares each
 * slice with its neighbour. Other load on the machine and a change of the processor's
 * speed affect both peers.
 *
 * @param figure name of the figure to compare
 */
record AlternatingSlices(Task first, Task second, String figure) implements Task {

	@Override
	public Figures run(int... numbers) {
		int[] slice = Arrays.copyOfRange(numbers, 1, numbers.length);
		Map<String, Double> ratios = new TreeMap<>();
		for (int i = 0; i < numbers[0]; i++) {
			// the order changes, so that neither is always measured after the other
			double earlier = ((i % 2 == 0) ? this.first : this.second).run(slice).get(this.figure);
			double later = ((i % 2 == 0) ? this.second : this.first).run(slice).get(this.figure);
			ratios.put("ratio." + i, (i % 2 == 0) ? earlier / later : later / earlier);
		}
		return new Figures(ratios);
	}

}
