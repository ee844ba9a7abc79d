package io.github.lockboot.cache;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CacheEvictionTests {

	@Test
	void aGraceForAllEntriesIsRejectedWithTheSolution() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> CacheEviction.ofAll("product").withGrace(Duration.ofSeconds(3)))
			.withMessageContaining("evict those by their keys");
	}

}
