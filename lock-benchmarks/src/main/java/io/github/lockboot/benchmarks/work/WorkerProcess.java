package io.github.lockboot.benchmarks.work;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.benchmarks.cache.CacheKind;
import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.peer.RedisAddress;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.fixture.JvmProcess;

/**
 * A worker as its parent sees it. Jobs are done one after the other.
 */
public final class WorkerProcess implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofMinutes(3);

	private final JvmProcess process;

	private WorkerProcess(JvmProcess process) {
		this.process = process;
	}

	/**
	 * Start a worker. It is not ready yet.
	 * @param options options of its JVM
	 * @param kind the peer it works with
	 * @param address where Redis is
	 * @return the worker
	 */
	public static WorkerProcess start(List<String> options, Kind kind, RedisAddress address) {
		return new WorkerProcess(
				JvmProcess.start(options, (kind instanceof CacheKind) ? CacheWorker.class : LockWorker.class,
						kind.name(), address.host(), String.valueOf(address.port())));
	}

	/**
	 * Wait until it has connected.
	 */
	public void awaitReady() {
		this.process.awaitLine("^" + Worker.READY + "$", LIMIT);
	}

	/**
	 * Give it a job, without waiting for its end.
	 * @param job the job
	 * @param numbers how many, how long
	 */
	public void begin(Job job, int... numbers) {
		this.process.send(Stream.concat(Stream.of(job.name()), Arrays.stream(numbers).mapToObj(String::valueOf))
			.collect(Collectors.joining(" ")));
	}

	/**
	 * Wait for the end of its job.
	 * @return what it has measured
	 */
	public Figures end() {
		return Figures.parse(this.process.awaitLine("^" + Worker.FIGURES, LIMIT).substring(Worker.FIGURES.length()));
	}

	/**
	 * Give it a job and wait for its end.
	 * @param job the job
	 * @param numbers how many, how long
	 * @return what it has measured
	 */
	public Figures run(Job job, int... numbers) {
		begin(job, numbers);
		return end();
	}

	/**
	 * End it at once, in the middle of what it does.
	 */
	public void kill() {
		this.process.kill();
	}

	@Override
	public void close() {
		this.process.close();
	}

}
