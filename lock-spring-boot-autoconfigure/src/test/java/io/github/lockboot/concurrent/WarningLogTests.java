package io.github.lockboot.concurrent;

import java.time.Duration;

import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.engine.SteppedClock;

import static org.assertj.core.api.Assertions.assertThat;

class WarningLogTests {

	private final CapturedLog log = new CapturedLog();

	private final SteppedClock clock = new SteppedClock();

	private final WarningLog warnings = new WarningLog(LogFactory.getLog(WarningLogTests.class), this.clock,
			"locks are at risk");

	@AfterEach
	void close() {
		this.log.close();
	}

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

	private void warn(int count) {
		for (int i = 0; i < count; i++) {
			this.warnings.warn(String.valueOf(i), "Lock '" + i + "' is at risk");
		}
	}

}
