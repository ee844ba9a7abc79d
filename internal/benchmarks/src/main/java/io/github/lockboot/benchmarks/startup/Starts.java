package io.github.lockboot.benchmarks.startup;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
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
	 * @param redis the server
	 * @param peers the applications, the one without a library first
	 * @param web whether the applications are web applications
	 * @param rounds how often each application is started, after a first start that lets
	 * the machine read the files
	 * @return the measurements
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

	/**
	 * Return the median of a number over all starts.
	 * @param figure name of the number
	 * @param peer the application
	 * @return the median
	 */
	public double median(String figure, StartedPeer peer) {
		double[] sorted = this.starts.getOrDefault(peer, List.of())
			.stream()
			.mapToDouble((figures) -> figures.get(figure))
			.sorted()
			.toArray();
		return sorted[sorted.length / 2];
	}

	/**
	 * Return how much more an application has than the application without a library.
	 * @param figure name of the number
	 * @param peer the application
	 * @return the difference of the medians
	 */
	public double added(String figure, StartedPeer peer) {
		return median(figure, peer) - median(figure, this.bare);
	}

	/**
	 * Return the entries of an application's class path that are not on the class path of
	 * the application without a library.
	 * @param peer the application
	 * @return the entries that are added
	 */
	public ClassPath addedJars(StartedPeer peer) {
		return peer.classPath().beside(this.bare.classPath());
	}

}
