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
	void theMedianOfAnEvenNumberOfRoundsLiesBetweenTheMiddleOnes() {
		assertThat(this.results.median(PeerKind.BARE, "rate")).isEqualTo(6);
	}

	@Test
	void aRatioIsOneOfMedians() {
		assertThat(this.results.ratio("rate", PeerKind.OURS, PeerKind.BARE)).isEqualTo(0.5);
	}

	@Test
	void figuresTravelAsALine() {
		Figures figures = Figures.of("rate", 1.5).and("even", 0.25);
		assertThat(Figures.parse(figures.line())).isEqualTo(figures);
	}

}
