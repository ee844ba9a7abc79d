package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.peer.RedisAddress;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.work.Crew;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

/**
 * Where scenarios are measured: a Redis, and how much is done. Peers work in turn; who
 * begins changes from round to round.
 *
 * @param redis the server
 * @param effort how much is measured
 */
public record Lab(RedisServer redis, Effort effort) {

	/**
	 * Return the same place with more and shorter rounds.
	 * @return a new lab
	 */
	Lab finer() {
		return new Lab(this.redis, this.effort.finer());
	}

	/**
	 * Measure peers in turn, with crews that stay for all rounds.
	 * @param peers the peers, ours first
	 * @param size how many workers each has
	 * @param warmUp done once by each crew before the first round
	 * @param round what is measured
	 * @return all figures
	 */
	Results measure(List<? extends Kind> peers, int size, Function<Crew, ?> warmUp, Function<Crew, Figures> round) {
		List<Crew> crews = new ArrayList<>();
		try {
			for (Kind peer : peers) {
				Crew crew = crew(peer, size, Effort.timed());
				crews.add(crew);
				warmUp.apply(crew);
			}
			Results results = new Results();
			for (int i = 0; i < this.effort.rounds(); i++) {
				crews.forEach((crew) -> results.add(crew.kind(), round.apply(crew)));
				Collections.rotate(crews, 1);
			}
			return results;
		}
		finally {
			crews.forEach(Crew::close);
		}
	}

	/**
	 * Measure peers once, each with a worker that is there for that only.
	 * @param peers the peers, ours first
	 * @param options options of the workers' JVMs
	 * @param work what is measured
	 * @return all figures
	 */
	Results measureOnce(List<? extends Kind> peers, List<String> options, Function<Crew, Figures> work) {
		Results results = new Results();
		for (Kind peer : peers) {
			this.redis.flushAll();
			try (Crew crew = crew(peer, 1, options)) {
				results.add(peer, work.apply(crew));
			}
		}
		return results;
	}

	/**
	 * Start workers, to be closed by the caller.
	 * @param peer what they work with
	 * @param size how many
	 * @param options options of their JVMs
	 * @return the workers, ready
	 */
	Crew crew(Kind peer, int size, List<String> options) {
		return Crew.start(size, options, peer, address());
	}

	RedisAddress address() {
		return new RedisAddress(this.redis.host(), this.redis.port());
	}

	/**
	 * Count the scripts that Redis has run.
	 * @return the number so far
	 */
	long scripts() {
		CommandCounts counts = this.redis.commandStats();
		return counts.of("evalsha") + counts.of("eval");
	}

	/**
	 * Count the commands that Redis has run, those within scripts included.
	 * @return the number so far
	 */
	long commands() {
		return this.redis.commandStats().total();
	}

	/**
	 * Return how much memory the data take up.
	 * @return bytes, as Redis counts them
	 */
	double datasetBytes() {
		return Double.parseDouble(this.redis.info("memory", "used_memory_dataset"));
	}

	/**
	 * Return the CPU time that Redis has used.
	 * @return microseconds so far
	 */
	double redisCpuMicros() {
		return 1e6 * (Double.parseDouble(this.redis.info("cpu", "used_cpu_user"))
				+ Double.parseDouble(this.redis.info("cpu", "used_cpu_sys")));
	}

}
