package io.github.lockboot.simulation;

import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.simulation.server.LuaMachine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Defects that are put back into the scripts, those of the cache last: a history finds
 * each of them.
 */
@Tag("long")
class DefectTests {

	@ParameterizedTest
	@EnumSource(to = "A_WAITER_IS_TAKEN_FOR_THE_HOLDER", mode = EnumSource.Mode.EXCLUDE,
			names = "A_LATE_RENEWAL_REPLACES_A_MINIMUM_HOLD_TIME")
	void aHistoryOfAtMostTwentyDecisionsFinds(Defect defect) {
		try (Simulation simulation = new Simulation(defect::putBack)) {
			long number = simulation.find(History::of, 1, 300);
			assertThat(number).as("the first history that finds " + defect).isPositive();
			History shortest = simulation.shrink(History.of(number));
			assertThat(simulation.run(shortest, false).violation()).isNotNull();
			assertThat(shortest.decisions()).hasSizeLessThanOrEqualTo(20);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "ONE_PERMIT_TOO_MANY", "TOKENS_STAND_STILL" })
	void aSearchFinds(Defect defect) {
		try (LuaMachine lua = new LuaMachine(defect::putBack)) {
			assertThat(Scope.all()).anyMatch((scope) -> new Search(scope, lua).walks(1, 80, 80).violation() != null);
		}
	}

	@Test
	void aHistoryOfMinimumHoldTimesFindsALateRenewal() {
		try (Simulation simulation = new Simulation(Defect.A_LATE_RENEWAL_REPLACES_A_MINIMUM_HOLD_TIME::putBack)) {
			assertThat(simulation.find(History::kept, 1, 300)).isPositive();
		}
	}

	@Test
	void aHistoryOfMinimumHoldTimesFindsCommandsThatOvertakeEachOther() {
		try (Simulation simulation = new Simulation(UnaryOperator.identity(), true)) {
			long number = simulation.find(History::kept, 101, 300);
			assertThat(number).isPositive();
			assertThat(simulation.run(History.kept(number), false).violation()).contains("has been free for");
		}
	}

	@ParameterizedTest
	@EnumSource(from = "A_LOAD_IS_STORED_AFTER_AN_EVICT")
	void oneOfAHundredHistoriesOfTheCacheFinds(Defect defect) {
		try (Simulation simulation = new Simulation(defect::putBack)) {
			assertThat(simulation.find(defect.name().contains("TAG") ? CacheHistories::tagged : CacheHistories::of, 1,
					100))
				.isPositive();
		}
	}

	/** A change of the text of the scripts. */
	enum Defect {

		ANYBODY_RELEASES("if holder == ARGV[a + 1] and ARGV[a + 2] ~= '0'", "if holder and ARGV[a + 2] ~= '0'"),

		ONE_PERMIT_TOO_MANY("holders < limit and not queued", "holders <= limit and not queued"),

		TOKENS_STAND_STILL("local token = math.max(last + 1, now)", "local token = last"),

		A_RENEWAL_DOES_NOTHING("call('PEXPIRE', lock, lease, 'GT')", "call('PTTL', lock)"),

		A_LATE_RENEWAL_REPLACES_A_MINIMUM_HOLD_TIME("'kept ' .. owner, 'PX'", "owner, 'PX'"),

		A_DOWNGRADE_RELEASES("share(owner, now, lease)\nremember(used, lease, now)", "remember(used, lease, now)"),

		A_MINIMUM_HOLD_TIME_ENDS_AT_ONCE("'kept ' .. owner, 'PX', lease", "'kept ' .. owner, 'PX', 1"),

		A_WAITER_IS_TAKEN_FOR_THE_HOLDER("local owners = {soleHolder(holder)}",
				"local owners = redis.call('HKEYS', deadlines)"),

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
