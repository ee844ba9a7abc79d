package io.github.lockboot.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A measured figure is on a page only within a mark that names its source: a stored
 * measurement, which {@code DocumentationTests} of the benchmarks compares, or a run in
 * {@code runs.md}.
 */
class FiguresTests {

	private static final Pattern RUN = Pattern.compile("<!--run (.+?)-->");

	private static final Pattern RATE = Pattern
		.compile("(?<![\\w.,])\\d[\\d.,]* (x|times|sections|reads|writes|µs|us)\\b"
				+ "|\\d % of (a core|the rate)|\\d (\\w+ )?(a|per) second\\b");

	private static final Pattern TOLD = Pattern.compile("(?i)\\b(measured|took|takes|lasted|median)\\b");

	private final Page runs = Page.runs();

	@Test
	void measuredFiguresHaveASource() {
		assertThat(Page.all()).flatMap((page) -> unmarked(page).stream().map((figure) -> page + ": " + figure).toList())
			.as("figures that are neither in <!--figure ...--> nor in <!--run ...-->")
			.isEmpty();
	}

	@Test
	void runsAreThoseOfThePages() {
		assertThat(this.runs.table("Runs")).allSatisfy((row) -> {
			assertThat(row.get(1)).as("date").matches("20\\d\\d-\\d\\d-\\d\\d");
			assertThat(row.get(2)).as("how").isNotBlank();
		});
		assertThat(Page.all().stream().flatMap((page) -> RUN.matcher(page.text()).results()).map((run) -> run.group(1)))
			.containsOnlyOnceElementsOf(this.runs.table("Runs").stream().map((row) -> row.get(0)).toList())
			.isSubsetOf(this.runs.table("Runs").stream().map((row) -> row.get(0)).toList());
	}

	/** Sentences, and rows of tables, in which a figure without a source is told. */
	private static List<String> unmarked(Page page) {
		List<String> found = new ArrayList<>();
		String before = "";
		for (String block : page.prose().split("\\n\\s*\\n")) {
			boolean table = block.startsWith("|");
			boolean told = table && TOLD.matcher(before + block.lines().findFirst().orElse("")).find();
			String[] sentences = table ? block.split("\n") : block.replaceAll("\\s+", " ").split("(?<=[.;:!?])\\s");
			for (String sentence : sentences) {
				String plain = sentence.replaceAll("`[^`]*`", "");
				boolean figure = RATE.matcher(plain).find();
				boolean number = plain.matches(".*\\d.*") && (told || TOLD.matcher(plain).find());
				if (figure || number) {
					found.add(sentence);
				}
			}
			before = block;
		}
		return found;
	}

}
