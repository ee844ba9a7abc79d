package io.github.lockboot.benchmarks.work;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.github.lockboot.benchmarks.report.Figures;

import static org.assertj.core.api.Assertions.assertThat;

class AlternatingSlicesTests {

	private final List<String> order = new ArrayList<>();

	@Test
	void thePeersAlternateAndEachPairHasARatio() {
		AlternatingSlices slices = new AlternatingSlices(peer("one", 3), peer("other", 2), "rate");
		assertThat(slices.run(2, 64, 150)).isEqualTo(new Figures(Map.of("ratio.0", 1.5, "ratio.1", 1.5)));
		assertThat(this.order).containsExactly("one[64, 150]", "other[64, 150]", "other[64, 150]", "one[64, 150]");
	}

	private Task peer(String name, double rate) {
		return (numbers) -> {
			this.order.add(name + Arrays.toString(numbers));
			return Figures.of("rate", rate);
		};
	}

}
