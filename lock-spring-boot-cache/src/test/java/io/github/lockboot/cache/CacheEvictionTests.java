package io.github.lockboot.cache;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CacheEvictionTests {

	@Test
	void aGraceForAllEntriesIsRejectedWithTheSolution() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> CacheEviction.ofAll("product").withGrace(Duration.ofSeconds(3)))
			.withMessageContaining("evict those by their keys");
	}

	@Test
	void aGraceWithoutAnEndIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> CacheEviction.of("product", 42).withGrace(ChronoUnit.FOREVER.getDuration()))
			.withMessageStartingWith("'grace' must be from 0 ms to 365 days but is ");
	}

}
