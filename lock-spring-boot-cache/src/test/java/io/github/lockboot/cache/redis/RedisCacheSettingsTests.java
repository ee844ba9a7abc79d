package io.github.lockboot.cache.redis;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedisCacheSettingsTests {

	@Test
	void aKeyPrefixWithABraceIsRefused() {
		RedisCacheSettings settings = RedisCacheSettings.defaults();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisCacheSettings("{x}", settings.commandTimeout(), settings.snapshotWindow()))
			.withMessageContaining("must not contain '{'");
	}

}
