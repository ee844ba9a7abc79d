package io.github.lockboot.benchmarks.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The report of one scenario.
 *
 * @param note how the results were measured, a sentence or two
 */
public record ScenarioReport(String title, String note, Table table, List<Requirement> requirements) {

	/** Write the report. */
	public String markdown() {
		return "# " + this.title + "\n\n" + this.note + "\n\n" + this.table.markdown() + "\n"
				+ (this.requirements.isEmpty() ? ""
						: "\n| requirement | reached | |\n| --- | ---: | --- |\n" + this.requirements.stream()
							.map((requirement) -> requirement.row() + "\n")
							.collect(Collectors.joining()));
	}

}
