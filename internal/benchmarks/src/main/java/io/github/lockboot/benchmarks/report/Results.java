package io.github.lockboot.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

import io.github.lockboot.benchmarks.peer.Kind;

/**
 * The figures of all rounds of one scenario, by peer.
 */
public final class Results {

	private final Map<Kind, List<Figures>> rounds = new LinkedHashMap<>();

	/** Add the figures of one round. */
	public void add(Kind peer, Figures figures) {
		this.rounds.computeIfAbsent(peer, (kind) -> new ArrayList<>()).add(figures);
	}

	/**
	 * Return the measured peers.
	 * @return the peers, in the order in which they were first measured
	 */
	public List<Kind> peers() {
		return List.copyOf(this.rounds.keySet());
	}

	/** Return the median of a number over all rounds. */
	public double median(Kind peer, String figure) {
		double[] sorted = values(peer, figure).sorted().toArray();
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

	/** Return the minimum of a number over all rounds. */
	public double least(Kind peer, String figure) {
		return values(peer, figure).min().orElseThrow();
	}

	/** Return the maximum of a number over all rounds. */
	public double greatest(Kind peer, String figure) {
		return values(peer, figure).max().orElseThrow();
	}

	/**
	 * Return the ratio of the medians of two peers.
	 * @param figure name of the number
	 */
	public double ratio(String figure, Kind one, Kind other) {
		return median(one, figure) / median(other, figure);
	}

	private DoubleStream values(Kind peer, String figure) {
		return this.rounds.getOrDefault(peer, List.of()).stream().mapToDouble((figures) -> figures.get(figure));
	}

}
