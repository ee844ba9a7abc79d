package io.github.lockboot.concurrent;

import java.time.Duration;

import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.engine.SteppedClock;

import static org.assertj.core.api.Assertions.assertThat;

class WarningLogTests {

	@AutoClose
	private final CapturedLog log = new CapturedLog();

	private final SteppedClock clock = new SteppedClock();

	private final WarningLog warnings = WarningLog.of(LogFactory.getLog(WarningLogTests.class), this.clock,
			"locks are at risk");

	@Test
	void theFirstWarningsAreLoggedAndTheOthersCountedWithExamples() {
		warn(200);
		assertThat(this.log.lines("Lock '")).hasSize(10);
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.log.lines("more locks are at risk")).singleElement()
			.asString()
			.endsWith("190 more locks are at risk, such as '10', '11', '12', '13', '14'");
	}

	@Test
	void fewWarningsHaveNoSummary() {
		warn(10);
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.log.lines("more locks")).isEmpty();
	}

	@Test
	void thePeriodAfterASummaryBeginsAnew() {
		warn(20);
		this.clock.advance(Duration.ofSeconds(10));
		warn(20);
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.log.lines("Lock '")).hasSize(20);
		assertThat(this.log.lines("10 more locks")).hasSize(2);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			1     | Lock '0' is at risk
			2     | 2 locks are at risk, such as '0', '1'. The first: Lock '0' is at risk
			17090 | 17090 locks are at risk, such as '0', '1', '2', '3', '4'. The first: Lock '0' is at risk
			""")
	void oneLineCountsAllWarnings(int count, String line) {
		warn(WarningLog.inOneLine(LogFactory.getLog(WarningLogTests.class), this.clock, "locks are at risk"), count);
		assertThat(this.log.lines("ock")).isEmpty();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.log.lines("ock")).singleElement().asString().endsWith(line);
	}

	private void warn(int count) {
		warn(this.warnings, count);
	}

	private static void warn(WarningLog warnings, int count) {
		for (int i = 0; i < count; i++) {
			warnings.warn(String.valueOf(i), "Lock '" + i + "' is at risk");
		}
	}

}
