package io.github.lockboot.redis.connection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.concurrent.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/** Attempts to connect that end by an error of the JVM. */
class BackgroundConnectionErrorTests {

	@Test
	@Timeout(60)
	void anErrorEndsTheFirstAttempt() {
		try (SystemClock clock = new SystemClock("test");
				BackgroundConnection<byte[]> connection = new BackgroundConnection<>("Redis", "", () -> {
					throw new NoSuchMethodError("of another version");
				}, (failure) -> {
				}, clock)) {
			connection.begin();
			assertThat(connection.awaitFirstAttempt()).hasMessageContaining("of another version");
		}
	}

}
