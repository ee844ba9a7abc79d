package io.github.lockboot.benchmarks.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

import org.junit.jupiter.api.Test;

import io.github.lockboot.benchmarks.report.Figures;

import static org.assertj.core.api.Assertions.assertThat;

class AlternatingReadsTests {

	private final List<String> order = new ArrayList<>();

	@Test
	void theCachesAlternateAndEachPairHasARatioOfMedians() {
		AlternatingReads reads = new AlternatingReads(cache("one", 30), cache("other", 20));
		assertThat(reads.run(2, 3, 1, 50)).isEqualTo(new Figures(Map.of("ratio.0", 1.5, "ratio.1", 1.5)));
		assertThat(this.order).startsWith("one", "other", "other", "one", "one", "other").hasSize(12);
	}

	private IntToLongFunction cache(String name, long nanos) {
		return (reads) -> {
			this.order.add(name);
			return nanos * reads;
		};
	}

}
