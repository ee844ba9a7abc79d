package io.github.lockboot.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * No figure of a measurement is on a page that the last measurement does not have.
 */
class DocumentationTests {

	private final Documentation documentation = new Documentation(Path.of("../.."));

	@Test
	void thePagesHaveTheFiguresThatWereMeasuredLast() throws IOException {
		for (Map.Entry<Path, String> page : this.documentation.pages().entrySet()) {
			assertThat(page.getValue()).as(page.getKey().toString())
				.isEqualTo(this.documentation.filled(page.getValue()));
		}
	}

	@Test
	void theChartsAreDrawnFromWhatWasMeasuredLast() throws IOException {
		for (Map.Entry<Path, String> chart : this.documentation.charts().entrySet()) {
			assertThat(chart.getKey()).content().isEqualTo(chart.getValue());
		}
	}

	/** As docs/benchmarks.md says. */
	@ParameterizedTest
	@ValueSource(strings = { "Redisson RLock", "Redisson fair lock", "Spring Integration, pub/sub" })
	void oursHasAHigherRateAndLessLoadThanALockThatNotifiesItsWaiters(String peer) {
		Measurement instances = Objects
			.requireNonNull(Measurement.readAll(this.documentation.measurements()).get("instances-32-work-1"));
		for (String ours : List.of("ours, release confirmed", "ours, fair")) {
			assertThat(instances.number(ours, "sections/s, all instances"))
				.isGreaterThan(instances.number(peer, "sections/s, all instances"));
			assertThat(instances.number(ours, "CPU us each, Redis"))
				.isLessThan(instances.number(peer, "CPU us each, Redis"));
		}
	}

	@Test
	void aFigureIsThatOfItsRowAndColumn(@TempDir Path root) {
		Documentation pages = new Documentation(root);
		Table table = new Table(List.of("rate", "ours is"),
				List.of(List.of("**ours**", "2,500", "1.00 x"), List.of("a peer", "1,250", "2.00 x")));
		Measurement.write(pages.measurements(), "free",
				new ScenarioReport("Free", "How.", table, List.of(Requirement.atLeast("rate, at least 2", 2.5, 2))),
				"Measured here.");
		assertThat(pages.filled(
				"<!--figure free; ours; rate-->1<!--end--> a second, <!--figure free; a peer; ours is--><!--end-->"))
			.isEqualTo(
					"<!--figure free; ours; rate-->2,500<!--end--> a second, <!--figure free; a peer; ours is-->2.00 x<!--end-->");
		assertThat(pages.filled("<!--figure free; rate, at least 2; reached--><!--end-->")).contains(">2.50<");
		assertThat(pages.filled("<!--table free-->old<!--end-->")).contains("| a peer | 1,250 | 2.00 x |")
			.doesNotContain("at least 2");
		assertThat(pages.filled("<!--origin free--><!--end-->")).contains("Measured here.");
		assertThat(Measurement.readAll(pages.measurements())).hasEntrySatisfying("free",
				(measurement) -> assertThat(measurement.number("a peer", "ours is")).isEqualTo(2));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> pages.filled("<!--figure free; others; rate--><!--end-->"))
			.withMessageContaining("others");
	}

	@Test
	void aChartOfLinesHasEachRowOnce() {
		Chart chart = Chart.lines("lines", "Title", List.of(1, 2),
				Map.of("ours", List.of(1.0, 2.0), "a peer", List.of(2.0, 1.0)));
		for (Chart.Theme theme : Chart.Theme.values()) {
			assertThat(Stream.of("ours", "a peer", "Title"))
				.allSatisfy((text) -> assertThat(chart.svg(theme)).containsOnlyOnce(">" + text + "<"));
		}
	}

}
