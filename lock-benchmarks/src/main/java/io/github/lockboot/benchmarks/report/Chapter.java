package io.github.lockboot.benchmarks.report;

import java.util.List;

/**
 * The report of one scenario.
 *
 * @param title the title
 * @param note how it was measured, a sentence or two
 * @param table the results
 * @param bars the requirements for ours
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
