package io.github.lockboot.simulation;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Defects that are put back into the scripts of the cache: a history finds each. */
@Tag("long")
class CacheDefectTests {

	@ParameterizedTest
	@EnumSource
	void oneOfAHundredHistoriesFinds(Defect defect) {
		try (Simulation simulation = new Simulation(defect::putBack)) {
			assertThat(simulation.find(defect.name().contains("TAG") ? CacheHistories::tagged : CacheHistories::of, 1,
					100))
				.isPositive();
		}
	}

	@Test
	void aHistoryOfTheCacheIsShrunk() {
		try (Simulation simulation = new Simulation(Defect.AN_EVICT_STOPS_NO_LOAD::putBack)) {
			History shortest = simulation.shrink(CacheHistories.of(simulation.find(CacheHistories::of, 1, 100)));
			assertThat(simulation.run(shortest, false).violation()).isNotNull();
			assertThat(shortest.decisions()).hasSizeLessThanOrEqualTo(5);
		}
	}

	/** A change of the text of the scripts. */
	enum Defect {

		A_LOAD_IS_STORED_AFTER_AN_EVICT("if redis.pcall('GET', lease) ~= attempt then\n\treturn {0}\nend\nif ends then",
				"if ends then"),

		AN_EVICT_STOPS_NO_LOAD("redis.call('DEL', lease)\nwriteTombstone(tombstone, grace",
				"writeTombstone(tombstone, grace"),

		A_COPY_IS_NOT_DROPPED("redis.pcall('PUBLISH', changes, data)\nreturn {deleted}", "return {deleted}"),

		AN_OLD_TRANSACTION_STORES("tonumber(changed) >= tonumber(seen)", "tonumber(changed) < 0"),

		ONLY_AN_OLDER_ENTRY_IS_PUT("high < knownHigh or (high == knownHigh and low <= knownLow)",
				"high > knownHigh or (high == knownHigh and low >= knownLow)"),

		TWO_JVMS_LOAD("if redis.call('EXISTS', lease) == 1 then", "if redis.call('EXISTS', lease) == 2 then"),

		AN_EVICT_OF_A_TAG_DOES_NOTHING("if evicted ~= '' then", "if evicted == ' ' then"),

		A_MISSED_EVICT_OF_A_TAG_IS_NOT_READ("return count > 0", "return count > 0 and (evicted ~= '' or known == '0')"),

		AN_ENTRY_OUTLIVES_A_GRACE("return {2, grace, ends}", "return {2, 0}");

		private final String text;

		private final String replacement;

		Defect(String text, String replacement) {
			this.text = text;
			this.replacement = replacement;
		}

		String putBack(String script) {
			return script.replace(this.text, this.replacement);
		}

	}

}
