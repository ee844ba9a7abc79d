package io.github.lockboot.benchmarks.report;

import java.util.function.BiFunction;

import io.github.lockboot.benchmarks.peer.Kind;

/**
 * One column of a table of peers.
 *
 * @param cell returns the cell in the row of a peer
 */
public record Column(String title, BiFunction<Results, Kind, String> cell) {

	/**
	 * Create a column with the median of a figure.
	 * @param title head of the column
	 */
	public static Column median(String title, String figure) {
		return new Column(title, (results, peer) -> Numbers.brief(results.median(peer, figure)));
	}

	/** Create a column with the minimum and the maximum of a figure. */
	public static Column spread(String figure) {
		return new Column("least to greatest", (results, peer) -> Numbers.brief(results.least(peer, figure)) + " to "
				+ Numbers.brief(results.greatest(peer, figure)));
	}

	/** Create a column with the ratio of the first peer's figure to that of the row. */
	public static Column ratio(String figure) {
		return new Column("ours is",
				(results, peer) -> Numbers.brief(results.ratio(figure, results.peers().get(0), peer)) + " x");
	}

}
