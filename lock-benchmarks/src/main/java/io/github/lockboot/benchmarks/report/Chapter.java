package io.github.lockboot.benchmarks.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is told of one scenario.
 *
 * @param title what was done
 * @param note how it was measured, a sentence or two
 * @param results what was found
 * @param columns what is shown of it
 * @param bars what ours must reach
 */
public record Chapter(String title, String note, Results results, List<Column> columns, List<Bar> bars) {

	/**
	 * Write the chapter.
	 * @return Markdown
	 */
	public String markdown() {
		Stream<String> head = Stream.of("### " + this.title, "", this.note, "",
				row("", this.columns.stream().map(Column::title)),
				row("---", this.columns.stream().map((c) -> "---:")));
		Stream<String> body = this.results.peers()
			.stream()
			.map((peer) -> row(peer.label(),
					this.columns.stream().map((column) -> column.cell().apply(this.results, peer))));
		return Stream.concat(head, body).collect(Collectors.joining("\n", "", "\n"));
	}

	private static String row(String first, Stream<String> others) {
		return Stream.concat(Stream.of(first), others).collect(Collectors.joining(" | ", "| ", " |"));
	}

}
