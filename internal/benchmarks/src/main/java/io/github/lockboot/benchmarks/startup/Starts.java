package io.github.lockboot.benchmarks.startup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.fixture.RedisServer;

/**
 * Measurements of several starts of several applications.
 */
public final class Starts {

	private final Map<StartedPeer, List<Figures>> starts = new LinkedHashMap<>();

	private final StartedPeer bare;

	private Starts(StartedPeer bare) {
		this.bare = bare;
	}

	/**
	 * Start applications in turn; each round begins with another application.
	 * @param peers the applications, the one without a library first
	 * @param rounds how often each application is started, after a first start that lets
	 * the machine read the files
	 */
	public static Starts measure(RedisServer redis, List<StartedPeer> peers, boolean web, int rounds) {
		Starts starts = new Starts(peers.get(0));
		List<StartedPeer> turn = new ArrayList<>(peers);
		peers.forEach((peer) -> {
			peer.start(redis, web);
			starts.starts.put(peer, new ArrayList<>());
		});
		for (int i = 0; i < rounds; i++) {
			turn.forEach((peer) -> starts.add(peer, peer.start(redis, web)));
			Collections.rotate(turn, 1);
		}
		return starts;
	}

	private void add(StartedPeer peer, Figures figures) {
		this.starts.getOrDefault(peer, List.of()).add(figures);
	}

	/** Return the median of a number over all starts. */
	public double median(String figure, StartedPeer peer) {
		double[] sorted = numbers(figure, peer);
		Arrays.sort(sorted);
		return quantile(sorted, 2);
	}

	/** Return a number of all rounds, in their order. */
	private double[] numbers(String figure, StartedPeer peer) {
		return this.starts.getOrDefault(peer, List.of())
			.stream()
			.mapToDouble((figures) -> figures.get(figure))
			.toArray();
	}

	/**
	 * Return how much more an application has than the application without a library in
	 * the same round.
	 * @param figure name of the number
	 * @return the median of the differences of all rounds
	 */
	public double added(String figure, StartedPeer peer) {
		return quantile(differences(figure, peer), 2);
	}

	/**
	 * Return how much more an application has, as text.
	 * @param figure name of the number
	 * @return the median and the quartiles of the differences of all rounds
	 */
	public String addedWithSpread(String figure, StartedPeer peer) {
		double[] sorted = differences(figure, peer);
		return String.format(Locale.ROOT, "%,.0f (%,.0f to %,.0f)", quantile(sorted, 2), quantile(sorted, 1),
				quantile(sorted, 3));
	}

	private double[] differences(String figure, StartedPeer peer) {
		double[] sorted = numbers(figure, peer);
		double[] bare = numbers(figure, this.bare);
		Arrays.setAll(sorted, (round) -> sorted[round] - bare[round]);
		Arrays.sort(sorted);
		return sorted;
	}

	private static double quantile(double[] sorted, int quarters) {
		return sorted[(sorted.length - 1) * quarters / 4];
	}

	/**
	 * Return the entries of an application's class path that are not on the class path of
	 * the application without a library.
	 */
	public ClassPath addedJars(StartedPeer peer) {
		return peer.classPath().beside(this.bare.classPath());
	}

}
