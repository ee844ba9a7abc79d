package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.peer.RedisAddress;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Ratios;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;
import io.github.lockboot.benchmarks.work.Workers;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

/**
 * A Redis, and how much is measured. Peers work in turn; each round begins with another
 * peer.
 *
 * @param address the address of the server of the workers
 */
public record TestBed(RedisServer redis, Effort effort, String address) {

	/** Measure with Redis. */
	public TestBed(RedisServer redis, Effort effort) {
		this(redis, effort, new RedisAddress(redis.host(), redis.port()).uri());
	}

	/** Return the same effort with another server. */
	public TestBed at(String address) {
		return new TestBed(this.redis, this.effort, address);
	}

	/** Return the same server for workers that each have several instances. */
	public TestBed instances(int count) {
		return at(WorkerProcess.instances(count, this.address));
	}

	/** Return the same place with fewer and longer rounds, for callers that compete. */
	public TestBed contended() {
		return new TestBed(this.redis, this.effort.contended(), this.address);
	}

	/** Return the same place with more and shorter rounds. */
	public TestBed finer() {
		return new TestBed(this.redis, this.effort.finer(), this.address);
	}

	/**
	 * Measure peers in turn, with workers that stay for all rounds.
	 * @param peers the peers, this library first
	 * @param warmUp what the workers do once before the first round
	 */
	public Results measure(List<? extends Kind> peers, int size, Function<Workers, ?> warmUp,
			Function<Workers, Figures> round) {
		List<Workers> all = new ArrayList<>();
		try {
			for (Kind peer : peers) {
				Workers workers = workers(peer, size, Effort.timed());
				all.add(workers);
				warmUp.apply(workers);
			}
			Results results = new Results();
			for (int i = 0; i < this.effort.rounds(); i++) {
				all.forEach((workers) -> results.add(workers.kind(), round.apply(workers)));
				Collections.rotate(all, 1);
			}
			return results;
		}
		finally {
			all.forEach(Workers::close);
		}
	}

	/**
	 * Measure peers once, each with its own worker.
	 * @param peers the peers, this library first
	 */
	public Results measureOnce(List<? extends Kind> peers, List<String> options, Function<Workers, Figures> work) {
		Results results = new Results();
		for (Kind peer : peers) {
			this.redis.flushAll();
			try (Workers workers = workers(peer, 1, options)) {
				results.add(peer, work.apply(workers));
			}
		}
		return results;
	}

	/**
	 * Compare two peers that alternate within one JVM, in several JVMs one after the
	 * other.
	 * @param first the first peer, whose figure is divided by the figure of the second
	 * peer
	 * @param job {@link Job#COMPARE_RATES} or {@link Job#COMPARE_READS}
	 * @param slice numbers of the job for one pair
	 * @return the ratios of all pairs of slices
	 */
	public Ratios compare(Kind first, Kind second, Job job, int... slice) {
		List<Figures> measured = new ArrayList<>();
		for (int i = 0; i < this.effort.comparisons(); i++) {
			try (WorkerProcess worker = WorkerProcess.start(Effort.timed(), List.of(first, second), this.address)) {
				worker.awaitReady();
				int[] numbers = IntStream.concat(IntStream.of(this.effort.pairs()), IntStream.of(slice)).toArray();
				worker.run(job, numbers); // warm-up
				measured.add(worker.run(job, numbers));
			}
		}
		return Ratios.of(measured);
	}

	/**
	 * Start workers, to be closed by the caller.
	 * @return the workers, ready
	 */
	public Workers workers(Kind peer, int size, List<String> options) {
		return Workers.start(size, options, peer, this.address);
	}

	/** Count the scripts that Redis has run. */
	public long scripts() {
		CommandCounts counts = this.redis.commandStats();
		return counts.of("evalsha") + counts.of("eval");
	}

	/** Count the commands that Redis has run, those within scripts included. */
	public long commands() {
		return this.redis.commandStats().total();
	}

	/** Return the bytes of all requests and replies. */
	public double bytesOnTheWire() {
		return Double.parseDouble(this.redis.info("stats", "total_net_input_bytes"))
				+ Double.parseDouble(this.redis.info("stats", "total_net_output_bytes"));
	}

	/**
	 * Return the memory that the data use.
	 * @return bytes, as Redis counts them
	 */
	public double datasetBytes() {
		return Double.parseDouble(this.redis.info("memory", "used_memory_dataset"));
	}

	/** Return the CPU time that Redis has used. */
	public double redisCpuMicros() {
		return 1e6 * (Double.parseDouble(this.redis.info("cpu", "used_cpu_user"))
				+ Double.parseDouble(this.redis.info("cpu", "used_cpu_sys")));
	}

}
