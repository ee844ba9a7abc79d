package io.github.lockboot.benchmarks.report;

import java.util.List;

/**
 * What is told of one scenario.
 *
 * @param title what was done
 * @param note how it was measured, a sentence or two
 * @param table what was found
 * @param bars what ours must reach
 */
public record Chapter(String title, String note, Table table, List<Bar> bars) {

	/**
	 * Write the chapter.
	 * @return Markdown
	 */
	public String markdown() {
		return "### " + this.title + "\n\n" + this.note + "\n\n" + this.table.markdown() + "\n";
	}

}
