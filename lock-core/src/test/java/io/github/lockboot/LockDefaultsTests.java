package io.github.lockboot;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class LockDefaultsTests {

	@ParameterizedTest
	@CsvSource({ "PT1M30S, 1m30s", "PT9.998123456S, 9s998ms", "PT0.000000500S, 500ns", "PT-1S, -1s" })
	void aTimeIsShownWithoutWhatIsLessThanAMillisecondUnlessThatIsAll(Duration time, String shown) {
		assertThat(LockDefaults.text(time)).isEqualTo(shown);
	}

}
