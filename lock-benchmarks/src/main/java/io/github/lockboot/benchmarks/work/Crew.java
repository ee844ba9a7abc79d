package io.github.lockboot.benchmarks.work;

import java.util.List;
import java.util.stream.IntStream;

import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.peer.RedisAddress;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Some workers with the same peer.
 *
 * @param kind the peer
 * @param workers the workers
 */
public record Crew(Kind kind, List<WorkerProcess> workers) implements AutoCloseable {

	/**
	 * Start workers.
	 * @param size how many
	 * @param options options of their JVMs
	 * @param kind the peer
	 * @param address where Redis is
	 * @return the crew, ready
	 */
	public static Crew start(int size, List<String> options, Kind kind, RedisAddress address) {
		List<WorkerProcess> workers = IntStream.range(0, size)
			.mapToObj((number) -> WorkerProcess.start(options, kind, address))
			.toList();
		workers.forEach(WorkerProcess::awaitReady);
		return new Crew(kind, workers);
	}

	/**
	 * Give a job to all of them at once, and wait for all.
	 * @param job the job
	 * @param numbers how many, how long
	 * @return what each has measured
	 */
	public List<Figures> run(Job job, int... numbers) {
		this.workers.forEach((worker) -> worker.begin(job, numbers));
		return this.workers.stream().map(WorkerProcess::end).toList();
	}

	/**
	 * Return the first of them.
	 * @return a worker
	 */
	public WorkerProcess first() {
		return this.workers.get(0);
	}

	@Override
	public void close() {
		this.workers.forEach(WorkerProcess::close);
	}

}
