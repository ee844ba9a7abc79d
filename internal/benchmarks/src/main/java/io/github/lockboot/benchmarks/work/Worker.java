package io.github.lockboot.benchmarks.work;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.Map;

/**
 * The main loop of a worker: reads jobs from its standard input and writes measurements
 * to its standard output.
 */
record Worker(Map<Job, Task> tasks) {

	static final String READY = "ready";

	static final String FIGURES = "figures ";

	/** Work until the standard input ends. */
	void work() throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		System.out.println(READY);
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			String[] words = line.split(" ");
			int[] numbers = Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray();
			Task task = this.tasks.get(Job.valueOf(words[0]));
			if (task == null) {
				throw new IllegalStateException("No task for " + words[0]);
			}
			System.out.println(FIGURES + task.run(numbers).line());
		}
	}

}
