package io.github.lockboot.benchmarks.work;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.benchmarks.cache.CacheKind;
import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.fixture.JvmProcess;

/**
 * The parent's side of a worker. Jobs run one after the other.
 */
public final class WorkerProcess implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofMinutes(3);

	private final JvmProcess process;

	private WorkerProcess(JvmProcess process) {
		this.process = process;
	}

	/**
	 * Start a worker, without waiting until it is ready.
	 * @param options options of the worker's JVM
	 * @param kinds the peers of the worker: one, or two to compare
	 */
	public static WorkerProcess start(List<String> options, List<? extends Kind> kinds, String address) {
		return new WorkerProcess(
				JvmProcess.start(options, (kinds.get(0) instanceof CacheKind) ? CacheWorker.class : LockWorker.class,
						kinds.stream().map(Kind::name).collect(Collectors.joining(",")), address));
	}

	/**
	 * Return the address for a worker with several instances, which its threads use in
	 * turn.
	 */
	public static String instances(int count, String address) {
		return count + LockWorker.INSTANCES + address;
	}

	/**
	 * Wait until the worker has connected.
	 */
	public void awaitReady() {
		this.process.awaitLine("^" + Worker.READY + "$", LIMIT);
	}

	/** Start a job, without waiting for its end. */
	public void begin(Job job, int... numbers) {
		this.process.send(Stream.concat(Stream.of(job.name()), Arrays.stream(numbers).mapToObj(String::valueOf))
			.collect(Collectors.joining(" ")));
	}

	/** Wait for the end of the job. */
	public Figures end() {
		return Figures.parse(this.process.awaitLine("^" + Worker.FIGURES, LIMIT).substring(Worker.FIGURES.length()));
	}

	/** Run a job. */
	public Figures run(Job job, int... numbers) {
		begin(job, numbers);
		return end();
	}

	/**
	 * Kill the worker, in the middle of its job.
	 */
	public void kill() {
		this.process.kill();
	}

	@Override
	public void close() {
		this.process.close();
	}

}
