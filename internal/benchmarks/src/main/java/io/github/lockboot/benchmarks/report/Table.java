package io.github.lockboot.benchmarks.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table of figures.
 *
 * @param heads heads of the columns, except that of the first column, which names the
 * rows
 * @param rows the rows, each beginning with its name
 */
public record Table(List<String> heads, List<List<String>> rows) {

	/** Create a table with a row for each peer. */
	public static Table of(Results results, List<Column> columns) {
		List<List<String>> rows = results.peers()
			.stream()
			.map((peer) -> Stream
				.concat(Stream.of(peer.label()), columns.stream().map((column) -> column.cell().apply(results, peer)))
				.toList())
			.toList();
		return new Table(columns.stream().map(Column::title).toList(), rows);
	}

	/** Write the table. */
	public String markdown() {
		String head = line(Stream.concat(Stream.of(""), this.heads.stream()));
		String rule = line(Stream.concat(Stream.of("---"), this.heads.stream().map((title) -> "---:")));
		return Stream.concat(Stream.of(head, rule), this.rows.stream().map((row) -> line(row.stream())))
			.collect(Collectors.joining("\n"));
	}

	private static String line(Stream<String> cells) {
		return cells.collect(Collectors.joining(" | ", "| ", " |"));
	}

}
