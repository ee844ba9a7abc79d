package io.github.lockboot.benchmarks.work;

import java.util.List;
import java.util.stream.IntStream;

import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Several workers with the same peer.
 */
public record Workers(Kind kind, List<WorkerProcess> processes) implements AutoCloseable {

	/**
	 * Start workers.
	 * @return the workers, which are ready
	 */
	public static Workers start(int size, List<String> options, Kind kind, String address) {
		List<WorkerProcess> processes = IntStream.range(0, size)
			.mapToObj((number) -> WorkerProcess.start(options, List.of(kind), address))
			.toList();
		processes.forEach(WorkerProcess::awaitReady);
		return new Workers(kind, processes);
	}

	/** Run a job in all workers at the same time. */
	public List<Figures> run(Job job, int... numbers) {
		this.processes.forEach((worker) -> worker.begin(job, numbers));
		return this.processes.stream().map(WorkerProcess::end).toList();
	}

	/** Return the first worker. */
	public WorkerProcess first() {
		return this.processes.get(0);
	}

	@Override
	public void close() {
		this.processes.forEach(WorkerProcess::close);
	}

}
