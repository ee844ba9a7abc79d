package io.github.lockboot.redis.transport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClientNameTests {

	@Test
	void beginsWithTheNameOfTheApplication() {
		assertThat(new ClientName("shop", "locks").text(null)).isEqualTo("shop-locks");
	}

	@Test
	void beginsWithTheNameThatTheApplicationGaveItsOwnConnections() {
		assertThat(new ClientName("shop", "cache").text("shop-7")).isEqualTo("shop-7-cache");
	}

	@Test
	void isTheUseAloneWithoutAnyOfBoth() {
		assertThat(new ClientName(null, "locks").text(null)).isEqualTo("locks");
	}

	@Test
	void hasNoCharacterThatRedisRefuses() {
		assertThat(new ClientName("my sh\u00f6p\n", "locks").text(null)).isEqualTo("my-sh-p--locks");
	}

}
