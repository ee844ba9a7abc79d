package io.github.lockboot.benchmarks.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

import io.github.lockboot.benchmarks.peer.PeerKind;

/**
 * What the rounds of one scenario have found about each peer.
 */
public final class Results {

	private final Map<PeerKind, List<Figures>> rounds = new EnumMap<>(PeerKind.class);

	/**
	 * Add what one round has found.
	 * @param peer about whom
	 * @param figures the figures
	 */
	public void add(PeerKind peer, Figures figures) {
		this.rounds.computeIfAbsent(peer, (kind) -> new ArrayList<>()).add(figures);
	}

	/**
	 * Return who was measured.
	 * @return the peers, in the order of tables
	 */
	public List<PeerKind> peers() {
		return List.copyOf(this.rounds.keySet());
	}

	/**
	 * Return the middle one of all rounds' numbers.
	 * @param peer of whom
	 * @param figure name of the number
	 * @return the median
	 */
	public double median(PeerKind peer, String figure) {
		double[] sorted = values(peer, figure).sorted().toArray();
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

	/**
	 * Return the least of all rounds' numbers.
	 * @param peer of whom
	 * @param figure name of the number
	 * @return the minimum
	 */
	public double least(PeerKind peer, String figure) {
		return values(peer, figure).min().orElseThrow();
	}

	/**
	 * Return the greatest of all rounds' numbers.
	 * @param peer of whom
	 * @param figure name of the number
	 * @return the maximum
	 */
	public double greatest(PeerKind peer, String figure) {
		return values(peer, figure).max().orElseThrow();
	}

	/**
	 * Return how many times one peer's median is another's.
	 * @param figure name of the number
	 * @param one the numerator
	 * @param other the denominator
	 * @return the ratio
	 */
	public double ratio(String figure, PeerKind one, PeerKind other) {
		return median(one, figure) / median(other, figure);
	}

	private DoubleStream values(PeerKind peer, String figure) {
		return this.rounds.getOrDefault(peer, List.of()).stream().mapToDouble((figures) -> figures.get(figure));
	}

}
