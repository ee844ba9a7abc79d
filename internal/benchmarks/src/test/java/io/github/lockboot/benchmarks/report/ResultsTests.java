package io.github.lockboot.benchmarks.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.lockboot.benchmarks.peer.PeerKind;

import static org.assertj.core.api.Assertions.assertThat;

class ResultsTests {

	private final Results results = new Results();

	ResultsTests() {
		List.of(3.0, 100.0, 1.0).forEach((rate) -> this.results.add(PeerKind.OURS, Figures.of("rate", rate)));
		List.of(4.0, 8.0).forEach((rate) -> this.results.add(PeerKind.BARE, Figures.of("rate", rate)));
	}

	@Test
	void theMedianOfAnOddNumberOfRoundsIsTheMiddleOne() {
		assertThat(this.results.median(PeerKind.OURS, "rate")).isEqualTo(3);
	}

	@Test
	void theMedianOfAnEvenNumberOfRoundsIsTheMeanOfTheMiddleOnes() {
		assertThat(this.results.median(PeerKind.BARE, "rate")).isEqualTo(6);
	}

	@Test
	void aRatioIsThatOfTheMedians() {
		assertThat(this.results.ratio("rate", PeerKind.OURS, PeerKind.BARE)).isEqualTo(0.5);
	}

	@Test
	void ratiosOfSlicesHaveAMedianAndQuartiles() {
		Figures one = Figures.of("ratio.0", 0.9).and("ratio.1", 1.0);
		Figures other = Figures.of("ratio.0", 1.1).and("ratio.1", 0.8).and("ratio.2", 1.2);
		Ratios ratios = Ratios.of(List.of(one, other));
		assertThat(ratios).isEqualTo(new Ratios(1.0, 0.9, 1.1)).hasToString("1.00 (0.90 to 1.10)");
		assertThat(Requirement.atLeast("rate", ratios, 1).met()).isTrue();
	}

	@Test
	void figuresAreWrittenAndReadAsALine() {
		Figures figures = Figures.of("rate", 1.5).and("even", 0.25);
		assertThat(Figures.parse(figures.line())).isEqualTo(figures);
	}

}
